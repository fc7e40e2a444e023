/** In a field only what no person types is a scan: every key within so long of the one before it. */
const fieldKeyMs = 45;
const fieldMinLength = 4;

type Field = HTMLInputElement | HTMLTextAreaElement;

const texts = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea";

/** The field that a key is typed into. */
export function textFieldOf(target: EventTarget | null): Field | null {
  if (!(target instanceof HTMLElement)) return null;
  return target.closest<Field>(texts);
}

/**
 * Scans that are typed into a field which is not for them: what stood in it is put back. A field marked
 * `data-scan` takes scans itself, by its form. `take` answers the scan that this key has ended, or null.
 */
export function fieldBurst(): { take: (field: Field, event: KeyboardEvent) => string | null } {
  let text = "";
  let before = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let within: Field | null = null;
  return {
    take(field, event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return null;
      if (field.dataset["scan"] !== undefined || field.type === "password") return null;
      const goesOn = within === field && event.timeStamp - lastAt < fieldKeyMs;
      lastAt = event.timeStamp;
      within = field;
      if (event.key === "Enter" && goesOn && text.length >= fieldMinLength) {
        const scanned = text;
        text = "";
        write(field, before);
        return scanned;
      }
      if (event.key.length !== 1) {
        if (event.key !== "Shift") text = "";
        return null;
      }
      if (!goesOn || text === "") {
        text = "";
        before = field.value;
      }
      text += event.key;
      return null;
    },
  };
}

/** So that the form hears of it. */
function write(field: Field, value: string): void {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** As if by hand, in place of what is selected. */
export function typeInto(field: Field, text: string): void {
  const { value, selectionStart, selectionEnd } = field;
  const from = selectionStart ?? value.length;
  write(field, value.slice(0, from) + text + value.slice(selectionEnd ?? from));
}
