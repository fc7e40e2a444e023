import * as z from "zod";

/**
 * The active codes of ISO 4217, written out: `Intl.supportedValuesOf("currency")` also holds
 * withdrawn currencies and differs from one runtime to the next, and a contract may not.
 */
export const currencies = (
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD " +
  "CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS " +
  "GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW " +
  "KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR " +
  "MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR " +
  "SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX " +
  "USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG"
).split(" ");

/** The largest price of one copy. Times {@link maxQuantity} it is still a safe integer. */
export const maxAmount = 900_000_000_000;

/** The most copies that one card or listing can hold. */
export const maxQuantity = 9_999;

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .refine((code) => currencies.includes(code), "Must be a currency code of ISO 4217")
  .meta({ id: "Currency", description: "Currency code of ISO 4217.", examples: ["USD"] });

/** An amount of nothing or more, of one copy: a cost, a floor, a quote. */
export const money = z
  .strictObject({
    amount: z.int().min(0).max(maxAmount).meta({ description: "In minor units (cents)." }),
    currency,
  })
  .meta({
    id: "Money",
    description: "An integer amount in minor units, never a float.",
    examples: [{ amount: 1250, currency: "USD" }],
  });
export type Money = z.output<typeof money>;

/** What a buyer is asked for. Nothing sells for 0, and a price of 0 is nearly always a mistake. */
export const price = z
  .strictObject({
    amount: z.int().min(1).max(maxAmount).meta({ description: "In minor units (cents)." }),
    currency,
  })
  .meta({
    id: "Price",
    description: "An integer amount in minor units, above 0.",
    examples: [{ amount: 1250, currency: "USD" }],
  });

/** A sum over copies or cards: up to the largest safe integer. */
export const totalMoney = z
  .strictObject({
    amount: z.int().min(0).meta({ description: "In minor units (cents)." }),
    currency,
  })
  .meta({
    id: "TotalMoney",
    description: "A sum, an integer amount in minor units.",
    examples: [{ amount: 3750, currency: "USD" }],
  });
