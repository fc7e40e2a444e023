import { CloseButton, Kbd, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { isTyping } from "../../app/jump-keys.ts";

/** So long after the last letter the list is asked for. */
const restMs = 180;

/** The search of the list: `/` goes to it, Escape leaves it. */
export function SearchField(props: {
  value: string | undefined;
  onSearch: (text: string | undefined) => void;
}) {
  const { value = "", onSearch } = props;
  const [typed, setTyped] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  // What Back, a view or Clear put into the address stands in the field too.
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    const text = typed.trim();
    if (text === value) return undefined;
    const timer = setTimeout(() => onSearch(text === "" ? undefined : text), restMs);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch]);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <TextInput
      ref={field}
      type="search"
      className="search-field"
      aria-label="Search the inventory"
      placeholder="Title, set, number, SKU, certificate"
      size="xs"
      maxLength={200}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      rightSection={
        typed === "" ? (
          <Kbd size="xs">/</Kbd>
        ) : (
          <CloseButton size="xs" aria-label="Clear the search" onClick={() => setTyped("")} />
        )
      }
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" || event.key === "Enter") {
          if (event.key === "Enter") onSearch(typed.trim() === "" ? undefined : typed.trim());
          field.current?.blur();
        }
      }}
    />
  );
}
