import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatted } from "./formatted.ts";
import { packClient } from "./pack.ts";
import { clientTypes } from "./types.ts";

const [command, folder = "."] = process.argv.slice(2);
const typesFile = join(import.meta.dirname, "../../../libs/client/src/openapi.ts");

if (command === "types") {
  writeFileSync(typesFile, formatted(await clientTypes()));
} else if (command === "pack") {
  console.log(packClient(folder));
} else {
  console.error("npm run client -- types | pack [FOLDER]");
  process.exitCode = 2;
}
