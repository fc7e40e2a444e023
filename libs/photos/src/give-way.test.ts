import { readFile } from "node:fs/promises";
import { readFileSync, readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { createPictureProcessor } from "./processor.ts";

test.runIf(process.platform === "linux")(
  "whoever decodes gives way, and the thread that answers requests does not",
  async () => {
    const before = getPriority();
    const processor = createPictureProcessor({ threads: 1 });
    const bytes = await readFile(new URL("fixtures/card.heic", import.meta.url));
    await processor.process({ bytes });
    await processor.close();
    const decoders = readdirSync("/proc/self/task").filter((thread) =>
      readFileSync(`/proc/self/task/${thread}/comm`, "utf8").startsWith("libuv-worker"),
    );
    expect(decoders.length).toBeGreaterThan(0);
    expect(decoders.map((thread) => getPriority(Number(thread)))).toEqual(decoders.map(() => 10));
    expect(getPriority()).toBe(before);
  },
);
