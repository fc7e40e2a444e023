const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/**
 * The longest beginning of a text that fits and ends at a word's end, in languages without spaces too.
 * Empty where not even its first word fits.
 * @param most UTF-16 code units
 */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  // What has spaces is cut at them: `12/180` and `O'Neal` are one word to a reader.
  const atSpace = text.lastIndexOf(" ", most);
  if (atSpace > 0) return text.slice(0, atSpace).trimEnd();
  if (/^[\p{Script=Latin}\p{N}\p{P}\p{S}]+$/u.test(text)) return "";
  let end = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}
