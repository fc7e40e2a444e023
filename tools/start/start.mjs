// `npm start`: the whole set-up, then everything that runs. See README.md.
import { join } from "node:path";
import { handOver, root, setUp } from "./setup.mjs";

const node = await setUp();
await handOver(node, join(root, "tools/start/src/main.ts"), process.argv.slice(2));
