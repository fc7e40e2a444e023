/** A number as it was read, `012/142`, and in how many crops it was read so. */
export interface ReadNumber {
  /** Letters in upper case, no spaces: `TG07/TG30`. */
  printed: string;
  votes: number;
}

/** A barcode or QR code. */
export interface ReadCode {
  format: string;
  text: string;
}

/** The certificate of a graded card, as its slab's code says it. */
export interface ReadCertificate {
  grader: string;
  certNumber: string;
}

/** What a picture of a card says. Nothing of it is decided here: it is compared with what is known. */
export interface CardReading {
  /** Lines near the upper edge, where a card has its name. The longest first. */
  nameLines: readonly string[];
  /** The most often read first. */
  numbers: readonly ReadNumber[];
  codes: readonly ReadCode[];
  certificate: ReadCertificate | null;
  /** 256 bits of the card as it lies, and turned by 180°: nobody knows which way it was laid. */
  hashes: readonly [upright: Uint8Array, turned: Uint8Array];
  /** Pixels of the card's width: below about 650 its number cannot be read. */
  cardWidth: number;
}
