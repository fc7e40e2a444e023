// `npm test`: the whole set-up, then every check and every test. See README.md.
import { join } from "node:path";
import { handOver, root, setUp } from "./setup.mjs";

const node = await setUp();
await handOver(node, join(root, "tools/start/src/test-all.ts"), process.argv.slice(2));
