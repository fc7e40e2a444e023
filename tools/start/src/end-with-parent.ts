// Loaded into every program that the start program runs. When the start program is killed it can stop
// nothing any more; then each program ends itself, in its own orderly way.
const parent = process.ppid;
const everyMs = 500;

const timer = setInterval(() => {
  if (process.ppid === parent) return;
  // Once: by a second signal a program ends at once.
  clearInterval(timer);
  process.kill(process.pid, "SIGTERM");
}, everyMs);
timer.unref();
