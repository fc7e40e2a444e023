export type { LabelContent } from "./layout.ts";
export { countPages, pageOf, pagesOf } from "./pages.ts";
export type { LabelSheets } from "./pages.ts";
export { pagesPdf } from "./pdf.ts";
export { pageSvg } from "./svg.ts";
export { listTemplates, templateOf } from "./templates.ts";
