// `node run.mjs FILE args…`: the set-up without a word, then one program of the repository on Node 24.
import { resolve } from "node:path";
import { handOver, root, setUp } from "./setup.mjs";

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node tools/start/run.mjs FILE [arguments]");
  process.exit(1);
}
const node = await setUp({ quiet: true });
await handOver(node, resolve(root, file), args);
