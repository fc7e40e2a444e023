import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { eventJsonSchemas, eventSchemas } from "./events.ts";
import type { EventDataOf, VaultEvent } from "./events.ts";
import { exampleId } from "./ids.ts";
import { defaultRotation, requestLimits, rotationSeconds, waitsSeconds } from "./limits.ts";
import { eventTypes } from "./states.ts";
import type { EventType } from "./states.ts";

const at = "2026-03-01T09:30:00.000Z";
const listingMembers = {
  listing_id: exampleId("lst"),
  card_id: exampleId("card"),
  marketplace: "ebay",
  external_listing_id: "110554871203",
} as const;

const samples: { [Name in EventType]: EventDataOf<Name> } = {
  "card.identified": { card_id: exampleId("card"), title: "Serpent", set: "", number: "4/102" },
  "card.priced": { card_id: exampleId("card"), asking_price: { amount: 1250, currency: "USD" } },
  "card.workflow_status_changed": {
    card_id: exampleId("card"),
    from: "imported",
    to: "identified",
  },
  "listing.published": {
    ...listingMembers,
    url: "https://example.com/itm/1",
    price: { amount: 1250, currency: "USD" },
    published_at: at,
  },
  "listing.sold": {
    ...listingMembers,
    sold_price: { amount: 2500, currency: "USD" },
    quantity: 2,
    order_id: "12-345",
    sold_at: at,
  },
  "listing.ended": { ...listingMembers, end_reason: "expired", ended_at: at },
  "batch.completed": { batch_id: exampleId("batch"), name: "B", card_count: 3, completed_at: at },
  "identify.failed": {
    card_id: null,
    photo_url: "https://example.com/a.jpg",
    attempts: [
      { provider: "image_recognition", reason: "no_match" },
      { provider: "generative_ai", reason: "timeout" },
    ],
  },
};

const members: Record<EventType, string[]> = {
  "card.identified": ["card_id", "title", "set", "number"],
  "card.priced": ["card_id", "asking_price"],
  "card.workflow_status_changed": ["card_id", "from", "to"],
  "listing.published": [...Object.keys(listingMembers), "url", "price", "published_at"],
  "listing.sold": [...Object.keys(listingMembers), "sold_price", "quantity", "order_id", "sold_at"],
  "listing.ended": [...Object.keys(listingMembers), "end_reason", "ended_at"],
  "batch.completed": ["batch_id", "name", "card_count", "completed_at"],
  "identify.failed": ["card_id", "photo_url", "attempts"],
};

function sample(name: EventType): VaultEvent {
  return {
    id: exampleId("evt"),
    event: name,
    created_at: at,
    account_id: exampleId("acc"),
    data: samples[name],
  } as VaultEvent;
}

const ajv = new Ajv2020({ allErrors: true });
ajvFormats.default(ajv);
const validators = new Map(
  Object.entries(eventJsonSchemas()).map(([name, schema]) => [name, ajv.compile(schema)]),
);

it("has a schema for each event of the specification, and no other", () => {
  expect(Object.keys(eventSchemas)).toEqual([...eventTypes]);
});

describe.each(eventTypes)("%s", (name) => {
  const event = sample(name);
  const isValid = (value: unknown): boolean => validators.get(name)?.(value) === true;
  const bothAccept = (value: unknown): boolean[] => [
    eventSchemas[name].safeParse(value).success,
    isValid(value),
  ];

  it("has the five members of the envelope and its own data", () => {
    expect(Object.keys(eventSchemas[name].shape)).toEqual([
      "id",
      "event",
      "created_at",
      "account_id",
      "data",
    ]);
    expect(Object.keys(eventSchemas[name].shape.data.shape)).toEqual(members[name]);
  });

  it("publishes a JSON Schema that accepts what is sent", () => {
    expect(eventJsonSchemas()[name]["$id"]).toBe(`/schemas/${name}.json`);
    expect(eventSchemas[name].parse(event)).toEqual(event);
    expect(bothAccept(event)).toEqual([true, true]);
  });

  it("refuses a member more, in the envelope and in the data", () => {
    expect(bothAccept({ ...event, extra: 1 })).toEqual([false, false]);
    expect(bothAccept({ ...event, data: { ...event.data, extra: 1 } })).toEqual([false, false]);
  });

  it("refuses a member less, in the envelope and in the data", () => {
    for (const member of Object.keys(event)) {
      expect(bothAccept({ ...event, [member]: undefined })).toEqual([false, false]);
    }
    for (const member of members[name]) {
      const { [member]: _, ...data } = event.data as Record<string, unknown>;
      expect(bothAccept({ ...event, data })).toEqual([false, false]);
    }
  });

  it("refuses another event's name, and a time without Z", () => {
    const other = eventTypes.find((type) => type !== name);
    expect(bothAccept({ ...event, event: other })).toEqual([false, false]);
    expect(bothAccept({ ...event, created_at: "2026-03-01T09:30:00.000+00:00" })).toEqual([
      false,
      false,
    ]);
  });
});

describe("limits", () => {
  it("are the specification's", () => {
    expect(requestLimits).toEqual({ read: 60, write: 20, ai: 5 });
    expect(waitsSeconds.map((seconds) => seconds / 60)).toEqual([0.5, 2, 10, 60, 360, 1440]);
    expect(rotationSeconds[defaultRotation]).toBe(24 * 60 * 60);
  });
});

describe("the example of each event", () => {
  it.each(eventTypes)("%s fits its own schema, and stands in the published one", (name) => {
    const { examples } = eventJsonSchemas()[name] as { examples: unknown[] };
    expect(examples).toHaveLength(1);
    expect(eventSchemas[name].parse(examples[0])).toEqual(examples[0]);
  });
});
