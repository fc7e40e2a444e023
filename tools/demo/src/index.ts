export { drawCard } from "./draw.ts";
export { drawDemoPictures } from "./draw-pictures.ts";
export { seedDemo } from "./seed.ts";
export type { DemoAccount, SeedDemoOptions } from "./seed.ts";
