import type { Page } from "playwright-core";

/** A file as an input takes it. */
export interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** JPEGs that are drawn by the browser, like no other of another name. */
export async function drawPhotos(page: Page, names: readonly string[]): Promise<GivenFile[]> {
  const drawn = await page.evaluate(
    (all) =>
      all.map((name) => {
        const canvas = document.createElement("canvas");
        canvas.width = 315;
        canvas.height = 440;
        const pen = canvas.getContext("2d");
        let seed = Array.from(name).reduce(
          (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521,
          7,
        );
        const next = (most: number): number => {
          seed = (seed * 75 + 74) % 65_537;
          return seed % most;
        };
        if (pen !== null) {
          for (let at = 0; at < 24; at += 1) {
            pen.fillStyle = `hsl(${next(360)} 60% ${20 + next(60)}%)`;
            pen.fillRect(next(300), next(420), 20 + next(120), 20 + next(120));
          }
        }
        return canvas.toDataURL("image/jpeg", 0.9).split(",")[1] ?? "";
      }),
    names,
  );
  return names.map((name, at) => ({
    name,
    mimeType: "image/jpeg",
    buffer: Buffer.from(drawn[at] ?? "", "base64"),
  }));
}
