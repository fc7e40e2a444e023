import type { SimulatedAnswer } from "../protocol.ts";

/** An error of eBay's, thrown: what the request has done by then is undone where the store can. */
export class EbayError extends Error {
  override readonly name = "EbayError";
  readonly status: number;
  readonly errorId: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly domain: string;

  constructor(
    status: number,
    errorId: number,
    message: string,
    parameters: Readonly<Record<string, string>> = {},
    domain = "API_INVENTORY",
  ) {
    super(message);
    this.status = status;
    this.errorId = errorId;
    this.parameters = parameters;
    this.domain = domain;
  }
}

export function errorAnswer(errors: readonly EbayError[]): SimulatedAnswer {
  const [first] = errors;
  return {
    status: first?.status ?? 400,
    json: {
      errors: errors.map(({ errorId, domain, message, parameters, status }) => ({
        errorId,
        domain,
        subdomain: "Selling",
        category: status >= 500 ? "APPLICATION" : "REQUEST",
        message,
        longMessage: message,
        ...(Object.keys(parameters).length === 0
          ? {}
          : {
              parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
            }),
      })),
    },
  };
}
