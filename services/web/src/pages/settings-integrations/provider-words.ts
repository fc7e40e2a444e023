const names: Record<string, string> = {
  cardsight: "CardSight",
  ximilar: "Ximilar",
  google: "Google Gemini",
  anthropic: "Anthropic Claude",
  openai_compatible: "OpenAI compatible model",
  pricecharting: "PriceCharting",
  tcgdex: "TCGdex",
  scryfall: "Scryfall",
  ebay_browse: "eBay, what is asked",
  local: "Recogniser of this installation",
};

/** What a provider or an engine is called. */
export function providerWords(name: string): string {
  return names[name] ?? name.replaceAll("_", " ");
}

const errors: Record<string, string> = {
  unavailable: "It does not answer",
  timeout: "It takes too long",
  rate_limited: "It asks for patience",
  unauthorized: "It refuses the key",
  invalid_answer: "Its answers make no sense",
};

export function providerErrorWords(code: string): string {
  return errors[code] ?? code.replaceAll("_", " ");
}
