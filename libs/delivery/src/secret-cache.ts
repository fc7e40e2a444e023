import type { SecretBox } from "@cardvault/kit";

const maxEntries = 2_000;

/** Opens signing secrets, and remembers them by their sealed text: a secret that changes is another text. */
export class SecretCache {
  readonly #box: SecretBox;
  readonly #opened = new Map<string, string>();

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /** @throws SecretBoxError if it was closed by an unknown key, for another endpoint, or was changed */
  open(sealed: string, endpointId: string): string {
    const key = `${endpointId}.${sealed}`;
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const secret = this.#box.open(sealed, endpointId);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size >= maxEntries && oldest !== undefined) this.#opened.delete(oldest);
    this.#opened.set(key, secret);
    return secret;
  }
}
