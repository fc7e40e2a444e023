import type { CardCreate, CardPatch as CardPatchInput } from "@cardvault/contract";
import type { CardPatch } from "@cardvault/domain";

type Given = CardPatchInput & Pick<CardCreate, "external_ids">;

/** What a request says of a card, by the names of the rules. What it leaves out stays undefined. */
export function cardPatchFrom(given: Given): CardPatch {
  const { grading } = given;
  return {
    title: given.title,
    game: given.game,
    set: given.set,
    setCode: given.set_code,
    number: given.number,
    year: given.year,
    subject: given.subject,
    team: given.team,
    manufacturer: given.manufacturer,
    variant: given.variant,
    rarity: given.rarity,
    language: given.language,
    printRun: given.print_run,
    serialNumber: given.serial_number,
    isRookie: given.is_rookie,
    isAutograph: given.is_autograph,
    isMemorabilia: given.is_memorabilia,
    condition: given.condition,
    grading: grading && {
      grader: grading.grader,
      grade: grading.grade,
      certNumber: grading.cert_number,
      qualifier: grading.qualifier,
    },
    askingPrice: given.asking_price,
    priceFloor: given.price_floor,
    purchasePrice: given.purchase_price,
    location: given.location,
    notes: given.notes,
    tags: given.tags,
    externalIds: given.external_ids,
    sku: given.sku,
    quantity: given.quantity,
    workflowStatus: given.workflow_status,
  };
}
