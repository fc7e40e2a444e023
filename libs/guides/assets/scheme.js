// Runs before the first paint, so that a scheme that was chosen on the other pages does not flash in the
// other one. A file of its own, because the content security policy allows no inline script.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage may be forbidden; the system's scheme holds then.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
})();
