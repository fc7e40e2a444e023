import { apiScenario } from "./api/scenario.ts";
import { backlogScenario } from "./backlog/scenario.ts";
import { bulkScenario } from "./bulk/scenario.ts";
import { fairnessScenario } from "./fairness/scenario.ts";
import { guardScenario } from "./guard/scenario.ts";
import { importScenario } from "./import/scenario.ts";
import { inventoryScenario } from "./inventory/scenario.ts";
import { ledgerScenario } from "./ledger/scenario.ts";
import { logScenario } from "./log/scenario.ts";
import { optionsUsage, readOptions } from "./options.ts";
import { pagesScenario } from "./pages/scenario.ts";
import { pageWorkScenario } from "./pages/work-scenario.ts";
import { photoBatchScenario } from "./photo-batch/scenario.ts";
import { photosScenario } from "./photos/scenario.ts";
import { pollersScenario } from "./pollers/scenario.ts";
import { recogniserScenario } from "./recogniser/scenario.ts";
import { resumeScenario } from "./resume/scenario.ts";
import { rowSizesScenario } from "./row-sizes/scenario.ts";
import { figureLine, judge } from "./scenario.ts";
import { soakScenario } from "./soak/scenario.ts";
import { latencyScenario, throughputScenario, webhooksScenario } from "./webhooks/scenario.ts";
import { writeCostScenario } from "./write-cost/scenario.ts";

const scenarios = [
  apiScenario,
  pollersScenario,
  webhooksScenario,
  ledgerScenario,
  resumeScenario,
  latencyScenario,
  throughputScenario,
  backlogScenario,
  fairnessScenario,
  guardScenario,
  writeCostScenario,
  logScenario,
  bulkScenario,
  inventoryScenario,
  importScenario,
  photosScenario,
  photoBatchScenario,
  recogniserScenario,
  pagesScenario,
  pageWorkScenario,
  soakScenario,
  rowSizesScenario,
];

/** The names and two blanks. */
const nameWidth = Math.max(...scenarios.map(({ name }) => name.length)) + 2;

const usage = `usage: npm run bench -- NAME [OPTION N]…

${scenarios.map(({ name, sentence }) => `  ${name.padEnd(nameWidth)}${sentence}`).join("\n")}

${optionsUsage}

The last line holds the figures; the status says whether the goals are met.`;

async function main(): Promise<number> {
  const { name, options } = readOptions(process.argv.slice(2));
  if (name === undefined) {
    console.log(usage);
    return 0;
  }
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new TypeError(`There is no scenario ${name}`);
  const { figures, goals } = await scenario.run(options);
  const judged = goals.map((goal) => judge(goal, figures));
  for (const [isMet, sentence] of judged) console.log(`${isMet ? "met   " : "MISSED"} ${sentence}`);
  console.log(figureLine(figures));
  return judged.every(([isMet]) => isMet) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof TypeError && !("cause" in error);
  console.error(isUsage ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 1;
}
