export { guides } from "./guides.ts";
export type { Guide } from "./guides.ts";
export { stepsOf } from "./steps.ts";
export type { GuideStep } from "./steps.ts";
export { placeholders } from "./placeholders.ts";
export { guidePageAt, guidePaths } from "./pages.ts";
export type { GuideFacts, OperationFacts } from "./generated.ts";
export { houseBar, houseHead } from "./house.ts";
export { assets } from "./assets.ts";
