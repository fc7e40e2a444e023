import type { Card } from "@cardvault/contract";
import { formatMoney } from "../values/money.ts";
import { languageName } from "../values/words.ts";
import { ebayGrade, ebayGrader } from "./ebay-ids.ts";
import { text } from "./layout.ts";
import type { Layout } from "./layout.ts";

const price = (amount: Card["price_floor"]): string => (amount === null ? "" : formatMoney(amount));
const photoUrls = ({ photos }: Card): string[] => photos.map(({ url }) => url);

/** Codes that Card Dealer Pro and CollX share. */
function attributeCodes(card: Card): string {
  return [
    card.is_rookie ? "RC" : "",
    card.is_autograph ? "AU" : "",
    card.is_memorabilia ? "MEM" : "",
    card.print_run === null ? "" : "SN",
  ]
    .filter((code) => code !== "")
    .join(",");
}

/** What eBay's form offers for a sports card; our five grades fall into its four. */
const sportsWords = {
  near_mint: "Near Mint or Better",
  lightly_played: "Excellent",
  moderately_played: "Very Good",
  heavily_played: "Poor",
  damaged: "Poor",
} as const;

const sportsCondition = ({ condition }: Card): string =>
  condition === null ? "" : sportsWords[condition];

/**
 * Card Dealer Pro, batch export: `sku, title, description, sale_price, category, player, team, brand,
 * set, subset, year, card_number, attributes, condition, graded, grader, grade_name,
 * certification_number, front_image, back_image` (column names and attribute codes as a public
 * converter of that export to eBay's form documents them), and the table of its batch page: `Images,
 * Title, Status, Listings, Sale Price, Category, Year, Brand, Set, Name, Card #, Subset/Parallel,
 * Attributes, Team, Variation, Graded, Grader, Condition, Cert No.`. Its third export is eBay's own form.
 */
export const cardDealerProLayout: Layout = {
  id: "card_dealer_pro",
  recognisedBy: [
    ["title", "sale price", "player", "brand", "set", "subset", "card number", "attributes"],
    ["title", "sale price", "brand", "set", "card #", "subset/parallel", "attributes"],
  ],
  columns: {
    sku: "sku",
    title: "title",
    "sale price": "asking_price",
    category: "game",
    player: "subject",
    name: "subject",
    team: "team",
    brand: "manufacturer",
    set: "set",
    subset: "variant",
    "subset/parallel": "variant",
    variation: "variant",
    year: "year",
    "card number": "number",
    "card #": "number",
    attributes: "attributes",
    condition: "condition",
    grader: "grader",
    "grade name": "grade",
    grade: "grade",
    "certification number": "cert_number",
    "cert no": "cert_number",
    quantity: "quantity",
  },
  options: { condition_scale: "sports", compose_title: true },
  headers: () =>
    (
      "sku,title,description,sale_price,category,player,team,brand,set,subset,year,card_number," +
      "attributes,condition,graded,grader,grade_name,certification_number,front_image,back_image,quantity"
    ).split(","),
  cells: (card) => [
    text(card.sku),
    text(card.title),
    text(card.notes),
    price(card.asking_price),
    text(card.game),
    text(card.subject),
    text(card.team),
    text(card.manufacturer),
    text(card.set),
    text(card.variant),
    text(card.year),
    text(card.number),
    attributeCodes(card),
    sportsCondition(card),
    card.grading === null ? "no" : "yes",
    text(card.grading?.grader),
    text(card.grading?.grade),
    text(card.grading?.cert_number),
    photoUrls(card)[0] ?? "",
    photoUrls(card)[1] ?? "",
    text(card.quantity),
  ],
};

/**
 * CollX, collection export: `collx_id, name, team, year, brand, set, number, condition, flags,
 * market_value, front_image, back_image` and, for those who sell, prices and a grade. The name is the
 * player's; a title is put together. (Column names as public scripts read them.)
 */
export const collxLayout: Layout = {
  id: "collx",
  recognisedBy: [
    ["collx id", "name", "set", "market value"],
    ["collx id", "player", "set"],
  ],
  columns: {
    "collx id": ["external_id", "collx"],
    name: "subject",
    player: "subject",
    "player name": "subject",
    team: "team",
    year: "year",
    brand: "manufacturer",
    set: "set",
    parallel: "variant",
    number: "number",
    "card number": "number",
    condition: "condition",
    "grading company": "grader",
    grader: "grader",
    grade: "grade",
    "certification number": "cert_number",
    "cert number": "cert_number",
    flags: "attributes",
    sport: "game",
    category: "game",
    "serial number": "serial_number",
    "asking price": "asking_price",
    "purchase price": "purchase_price",
    quantity: "quantity",
    notes: "notes",
    location: "location",
  },
  options: { condition_scale: "sports", compose_title: true },
  headers: () =>
    (
      "collx_id,name,team,year,brand,set,parallel,number,sport,condition,grading_company,grade," +
      "certification_number,flags,market_value,asking_price,purchase_price,quantity,front_image,back_image,notes"
    ).split(","),
  cells: (card) => [
    text(card.external_ids["collx"]),
    text(card.subject ?? card.title),
    text(card.team),
    text(card.year),
    text(card.manufacturer),
    text(card.set),
    text(card.variant),
    text(card.number),
    text(card.game),
    sportsCondition(card),
    text(card.grading?.grader),
    text(card.grading?.grade),
    text(card.grading?.cert_number),
    attributeCodes(card),
    card.market_price === null ? "" : formatMoney(card.market_price),
    price(card.asking_price),
    price(card.purchase_price),
    text(card.quantity),
    photoUrls(card)[0] ?? "",
    photoUrls(card)[1] ?? "",
    text(card.notes),
  ],
};

const sports = [
  "baseball",
  "basketball",
  "football",
  "hockey",
  "soccer",
  "golf",
  "tennis",
  "boxing",
  "wrestling",
  "racing",
  "mma",
];
const isSport = ({ game }: Card): boolean => sports.includes((game ?? "").toLowerCase());

/** eBay's number of an ungraded card's condition: games have four words of their own. */
function ebayCondition(card: Card): string {
  if (card.condition === null) return card.grading === null ? "400010" : "";
  const [nearMint, light, moderate, heavy] = isSport(card)
    ? ["400010", "400011", "400012", "400013"]
    : ["400010", "400015", "400016", "400017"];
  return (
    {
      near_mint: nearMint,
      lightly_played: light,
      moderately_played: moderate,
      heavily_played: heavy,
      damaged: heavy,
    }[card.condition] ?? ""
  );
}

function ebayFeatures(card: Card): string {
  return [
    card.is_rookie ? "Rookie" : "",
    card.is_autograph ? "Autograph" : "",
    card.is_memorabilia ? "Memorabilia" : "",
    card.print_run === null ? "" : "Serial Numbered",
  ]
    .filter((feature) => feature !== "")
    .join("|");
}

const htmlText = (given: string): string =>
  given.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Sites of eBay by the currency in which they sell. */
const sites: Readonly<Record<string, string>> = {
  USD: "US",
  CAD: "Canada",
  GBP: "UK",
  AUD: "Australia",
  EUR: "Germany",
};
const countries: Readonly<Record<string, string>> = {
  USD: "US",
  CAD: "CA",
  GBP: "GB",
  AUD: "AU",
  EUR: "DE",
};

/**
 * eBay, template of File Exchange and Seller Hub reports for trading cards (categories 261328 sports,
 * 183454 games), which Card Dealer Pro writes too: `*Action(SiteID=US|…)`, `CustomLabel`, `*Category`,
 * `*Title`, `*ConditionID`, `C:` item specifics, `CD:` condition descriptors, `PicURL`, `*StartPrice` …
 * (column names as several public exporters write them). Shipping, returns and payment come from the
 * seller's business policies; their columns are there to be filled.
 */
export const ebayLayout: Layout = {
  id: "ebay",
  recognisedBy: [
    ["customlabel", "title", "startprice", "conditionid"],
    ["customlabel", "title", "startprice", "cd:professional grader id: 27501"],
  ],
  columns: {
    customlabel: "sku",
    title: "title",
    startprice: "asking_price",
    quantity: "quantity",
    "c:card name": "subject",
    "c:player/athlete": "subject",
    "c:character": "subject",
    "c:game": "game",
    "c:sport": "game",
    "c:set": "set",
    "c:card number": "number",
    "c:manufacturer": "manufacturer",
    "c:parallel/variety": "variant",
    "c:finish": "finish",
    "c:rarity": "rarity",
    "c:language": "language",
    "c:team": "team",
    "c:season": "year",
    "c:year manufactured": "year",
    "c:features": "attributes",
    "c:autographed": "is_autograph",
    "c:print run": "print_run",
    "cd:grade id: 27502": "grade",
    "cd:professional grader id: 27501": "grader",
    "cda:certification number id: 27503": "cert_number",
    "cd:card condition id: 40001": "condition",
  },
  options: { condition_scale: "sports" },
  preface: "Info,Version=1.0.0,Template=fx_category_template_EBAY_US",
  headers: (currency) => [
    `*Action(SiteID=${sites[currency] ?? "US"}|Country=${countries[currency] ?? "US"}|Currency=${currency}|Version=1193|CC=UTF-8)`,
    ...(
      "CustomLabel,*Category,*Title,*ConditionID,CD:Professional Grader - (ID: 27501)," +
      "CD:Grade - (ID: 27502),CDA:Certification Number - (ID: 27503),CD:Card Condition - (ID: 40001)," +
      "C:Graded,C:Sport,C:Game,C:Player/Athlete,C:Card Name,C:Character,C:Set,C:Card Number," +
      "C:Manufacturer,C:Parallel/Variety,C:Finish,C:Rarity,C:Language,C:Team,C:Season," +
      "C:Year Manufactured,C:Features,C:Autographed,C:Print Run,PicURL,*Description,*Format,*Duration," +
      "*StartPrice,*Quantity,*Location,*DispatchTimeMax,ShippingProfileName,ReturnProfileName," +
      "PaymentProfileName"
    ).split(","),
  ],
  cells: (card) => {
    const isGraded = card.grading !== null;
    const isOfSport = isSport(card);
    const title = text(card.title);
    return [
      "Add",
      text(card.sku),
      isOfSport ? "261328" : "183454",
      title.slice(0, 80),
      isGraded ? "2750" : "4000",
      isGraded ? ebayGrader(text(card.grading?.grader)) : "",
      isGraded ? ebayGrade(text(card.grading?.grade)) : "",
      text(card.grading?.cert_number),
      ebayCondition(card),
      isGraded ? "Yes" : "No",
      isOfSport ? text(card.game) : "",
      isOfSport ? "" : text(card.game),
      isOfSport ? text(card.subject) : "",
      isOfSport ? "" : text(card.subject ?? card.title),
      "",
      text(card.set),
      text(card.number),
      text(card.manufacturer),
      text(card.variant),
      "",
      text(card.rarity),
      languageName(card.language),
      text(card.team),
      isOfSport ? text(card.year) : "",
      text(card.year),
      ebayFeatures(card),
      card.is_autograph ? "Yes" : "No",
      text(card.print_run),
      photoUrls(card).join("|"),
      `<p>${htmlText(title)}</p>`,
      "FixedPrice",
      "GTC",
      price(card.asking_price),
      text(card.quantity),
      "",
      "",
      "",
      "",
      "",
    ];
  },
};
