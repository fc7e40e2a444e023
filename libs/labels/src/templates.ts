import { labelTemplateNames } from "@cardvault/contract";
import type { LabelTemplate, LabelTemplateName } from "@cardvault/contract";

const letter = { page_width: 215.9, page_height: 279.4 };
const a4 = { page_width: 210, page_height: 297 };

/** A printer of single labels. @param dot 0.125 mm at 203 dpi, 0.0847 at 300 */
function single(width: number, height: number, dot: number): LabelTemplate {
  return {
    page_width: width,
    page_height: height,
    label_width: width,
    label_height: height,
    columns: 1,
    rows: 1,
    left: 0,
    top: 0,
    pitch_x: width,
    pitch_y: height,
    dot,
  };
}

/** The makers' own measures, in millimetres. */
const templates: Record<LabelTemplateName, { title: string; template: LabelTemplate }> = {
  avery_5160: {
    title: "Avery 5160, 30 a letter sheet, 2 5/8 × 1 in",
    template: {
      ...letter,
      label_width: 66.675,
      label_height: 25.4,
      columns: 3,
      rows: 10,
      left: 4.7625,
      top: 12.7,
      pitch_x: 69.85,
      pitch_y: 25.4,
      dot: null,
    },
  },
  avery_5167: {
    title: "Avery 5167, 80 a letter sheet, 1 3/4 × 1/2 in",
    template: {
      ...letter,
      label_width: 44.45,
      label_height: 12.7,
      columns: 4,
      rows: 20,
      left: 7.62,
      top: 12.7,
      pitch_x: 52.07,
      pitch_y: 12.7,
      dot: null,
    },
  },
  avery_l7160: {
    title: "Avery L7160, 21 an A4 sheet, 63.5 × 38.1 mm",
    template: {
      ...a4,
      label_width: 63.5,
      label_height: 38.1,
      columns: 3,
      rows: 7,
      left: 7.2,
      top: 15.15,
      pitch_x: 66.04,
      pitch_y: 38.1,
      dot: null,
    },
  },
  avery_l7651: {
    title: "Avery L7651, 65 an A4 sheet, 38.1 × 21.2 mm",
    template: {
      ...a4,
      label_width: 38.1,
      label_height: 21.2,
      columns: 5,
      rows: 13,
      left: 4.75,
      top: 10.7,
      pitch_x: 40.6,
      pitch_y: 21.2,
      dot: null,
    },
  },
  dymo_30252: { title: "Dymo 30252, 89 × 28 mm", template: single(89, 28, 0.0847) },
  dymo_30336: { title: "Dymo 30336, 54 × 25 mm", template: single(54, 25.4, 0.0847) },
  zebra_2x1: { title: "Zebra 2 × 1 in", template: single(50.8, 25.4, 0.125) },
  zebra_225x125: { title: "Zebra 2 1/4 × 1 1/4 in", template: single(57.15, 31.75, 0.125) },
  zebra_4x6: { title: "Zebra 4 × 6 in", template: single(101.6, 152.4, 0.125) },
};

/** The template of a name, or the one that is given itself. */
export function templateOf(wanted: LabelTemplateName | LabelTemplate): LabelTemplate {
  return typeof wanted === "string" ? templates[wanted].template : wanted;
}

export function listTemplates(): {
  name: LabelTemplateName;
  title: string;
  template: LabelTemplate;
}[] {
  return labelTemplateNames.map((name) => ({ name, ...templates[name] }));
}
