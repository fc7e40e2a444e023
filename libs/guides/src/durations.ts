const units = [
  { seconds: 86_400, word: "day" },
  { seconds: 3_600, word: "hour" },
  { seconds: 60, word: "minute" },
  { seconds: 1, word: "second" },
] as const;

/** `24 hours`, `31 hours 12 minutes 30 seconds`: in days only what is several whole ones. */
export function durationWords(seconds: number): string {
  const words: string[] = [];
  let left = seconds;
  for (const unit of units) {
    const isDays = unit.word === "day";
    if (isDays && (seconds % unit.seconds !== 0 || seconds < 3 * unit.seconds)) continue;
    const count = Math.floor(left / unit.seconds);
    if (count === 0) continue;
    // A minute alone is better read as the sixty seconds that the specification says.
    if (seconds === 60 && unit.word === "minute") continue;
    left -= count * unit.seconds;
    words.push(`${count} ${unit.word}${count === 1 ? "" : "s"}`);
  }
  return words.join(" ");
}
