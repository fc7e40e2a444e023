import { MongoBinary } from "mongodb-memory-server-core";

// Run by fetch.ts as a process of its own, so that a fetch which hangs can be ended. Prints the path.
const downloadDir = process.argv[2];
if (downloadDir === undefined) throw new Error("usage: fetch-child.ts FOLDER");
const path = await MongoBinary.getPath({ downloadDir });
process.stdout.write(`${path}\n`);
