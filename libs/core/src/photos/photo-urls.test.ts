import { newId } from "@cardvault/kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPhotoUrls } from "./photo-urls.ts";

const origin = "https://vault.example.com";
const key = Buffer.alloc(32, 1);
const photoId = newId("img");

function partsOf(address: string): [id: string, size: string, signature: string] {
  const url = new URL(address);
  const [, , id = "", file = ""] = url.pathname.split("/");
  return [id, file.replace(".webp", ""), url.searchParams.get("s") ?? ""];
}

test("an address that we gave is accepted; any one character changed is not", () => {
  const urls = createPhotoUrls(origin, [key]);
  const [id, size, signature] = partsOf(urls.urlOf(photoId, "full"));
  expect(urls.isSigned(id, size, signature)).toBe(true);
  fc.assert(
    fc.property(
      fc.nat(2),
      fc.nat(25),
      fc.constantFrom("0", "a", "Z", "_", "é"),
      (part, at, character) => {
        const parts: [string, string, string] = [id, size, signature];
        const given = parts[part] ?? "";
        parts[part] = given.slice(0, at) + character + given.slice(at + 1);
        fc.pre(parts[part] !== given);
        expect(urls.isSigned(...parts)).toBe(false);
      },
    ),
  );
});

test("the signature is the photo's, whatever the size; there are no other sizes", () => {
  const urls = createPhotoUrls(origin, [key]);
  const [id, , signature] = partsOf(urls.urlOf(photoId, "thumbnail"));
  for (const size of ["full", "thumbnail", "small"]) {
    expect(urls.isSigned(id, size, signature)).toBe(true);
  }
  for (const size of ["original", "", "FULL", "full.webp"]) {
    expect(urls.isSigned(id, size, signature)).toBe(false);
  }
  expect(urls.isSigned(newId("img"), "full", signature)).toBe(false);
});

test("a whole address of ours names its photo, in every size; nobody else's and no changed one does", () => {
  const urls = createPhotoUrls(origin, [key]);
  for (const size of ["full", "thumbnail", "small"] as const) {
    expect(urls.photoAt(urls.urlOf(photoId, size))).toBe(photoId);
  }
  const address = urls.urlOf(photoId, "full");
  for (const other of [
    address.replace(origin, "https://vault.example.com.evil.example"),
    address.replace(origin, "https://evil.example"),
    address.replace("https:", "http:"),
    address.replace("/full.webp", "/original.webp"),
    address.replace(photoId, newId("img")),
    address.slice(0, -1),
    address.split("?")[0] ?? "",
    `${origin}/photos/../photos/${photoId}/full.webp`,
    "not an address",
  ]) {
    expect(urls.photoAt(other)).toBeNull();
  }
});

test("a change of keys breaks no address; an unknown key makes none", () => {
  const old = createPhotoUrls(origin, [key]);
  const parts = partsOf(old.urlOf(photoId, "full"));
  expect(createPhotoUrls(origin, [Buffer.alloc(32, 2), key]).isSigned(...parts)).toBe(true);
  expect(createPhotoUrls(origin, [Buffer.alloc(32, 2)]).isSigned(...parts)).toBe(false);
});
