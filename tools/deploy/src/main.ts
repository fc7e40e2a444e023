import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { configurationTable } from "./configuration.ts";

writeFileSync(join(import.meta.dirname, "../CONFIGURATION.md"), configurationTable());
