import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

const scans = () => dealer.asOwner.scans;
const cards = () => dealer.asOwner.cards;
const usd = (amount: number) => ({ amount, currency: "USD" });
const graded = (cert_number: string, grader = "PSA") => ({
  title: "Serpent",
  grading: { grader, grade: "9", cert_number },
});

/** A run at a place, and how to scan in it. */
async function runAt(location?: string) {
  const run_id = randomUUID();
  await scans().start({ run_id, ...(location === undefined ? {} : { location }) });
  return {
    run_id,
    scan: (text: string, scan_id: string = randomUUID()) => scans().scan({ run_id, scan_id, text }),
    undo: (scan_id: string) => scans().undo({ run_id, scan_id }),
  };
}

describe("a scan of a card", () => {
  test("moves it by SKU, id or certificate number, and says where it was", async () => {
    const { scan } = await runAt("Vault/A");
    const texts = [
      (await cards().create({ location: "B" })).sku ?? "",
      (await cards().create({ location: "B" })).id,
      graded("48213377").grading.cert_number,
    ];
    await cards().create({ ...graded("48213377"), location: "B" });
    for (const text of texts) {
      const answer = await scan(text);
      expect(answer.scan).toMatchObject({
        outcome: "moved",
        location: "Vault/A",
        from_location: "B",
        card: { location: "Vault/A" },
      });
      expect(answer.scan.card).toMatchObject({ id: answer.scan.card?.id, location: "Vault/A" });
    }
  });

  test("already_here, unknown, sold and archived change nothing", async () => {
    const { scan, run_id } = await runAt("A");
    const here = await cards().create({ location: "A" });
    const sold = await cards().create({ title: "Lantern", location: "B" });
    await cards().recordSale({ id: sold.id, price: usd(100), place: "Show" });
    const archived = await cards().create({ location: "B" });
    await cards().update({ id: archived.id, workflow_status: "archived" });
    for (const [text, outcome] of [
      [here.sku, "already_here"],
      ["no such card", "unknown"],
      [sold.sku, "sold"],
      [archived.sku, "archived"],
    ] as const) {
      expect((await scan(text ?? "")).scan.outcome).toBe(outcome);
    }
    expect((await cards().get({ id: here.id })).version).toBe(here.version);
    expect((await cards().get({ id: archived.id })).location).toBe("B");
    const list = await scans().list({ run_id });
    expect(list.run.counts).toMatchObject({ already_here: 1, unknown: 1, sold: 1, archived: 1 });
    expect(list.data.map(({ number }) => number)).toEqual([4, 3, 2, 1]);
  });

  test("is exact: another case is another text", async () => {
    const { scan } = await runAt("A");
    await cards().create({ sku: "Case-1" });
    expect((await scan("case-1")).scan.outcome).toBe("unknown");
    expect((await scan("Case-1")).scan.outcome).toBe("moved");
  });

  test("that several cards answer to lists them; a sold or archived one does not count", async () => {
    const { scan } = await runAt("A");
    const one = await cards().create(graded("777"));
    const other = await cards().create(graded("777", "CGC"));
    const { scan: first } = await scan("777");
    expect(first).toMatchObject({ outcome: "ambiguous", card: null });
    expect(first.candidates.map(({ id }) => id)).toEqual([one.id, other.id]);
    await cards().update({ id: one.id, workflow_status: "archived" });
    expect((await scan("777")).scan).toMatchObject({ outcome: "moved", card: { id: other.id } });
  });

  test("a listed card moves too", async () => {
    const { scan } = await runAt("A");
    const { id, sku } = await cards().create({ title: "Serpent", asking_price: usd(100) });
    await house.db.query("update card set workflow_status = 'listed' where sku = $1", [sku]);
    expect((await scan(sku ?? "")).scan).toMatchObject({ outcome: "moved", card: { id } });
  });
});

describe("a scan of a place", () => {
  test("by its label or by its code takes the run there", async () => {
    await dealer.asOwner.locations.places.save({ path: "Safe/1", code: "S-1" });
    const { scan } = await runAt();
    const { id, sku } = await cards().create({});
    expect(await codeFrom(scan(sku ?? ""))).toBe("conflict");
    expect((await scan("S-1")).run.location).toBe("Safe/1");
    expect((await scan("LOC:Box 7")).scan).toMatchObject({
      outcome: "place",
      location: "Box 7",
      from_location: "Safe/1",
    });
    await scan(sku ?? "");
    expect((await cards().get({ id })).location).toBe("Box 7");
  });
});

describe("a repeated request", () => {
  test("moves once, whatever happened between the two", async () => {
    const { scan, run_id } = await runAt("A");
    const { id, sku } = await cards().create({ location: "B" });
    const scanId = randomUUID();
    const [first, second] = await Promise.all([scan(sku ?? "", scanId), scan(sku ?? "", scanId)]);
    expect(second.scan).toEqual(first.scan);
    await cards().update({ id, location: "C" });
    expect((await scan(sku ?? "", scanId)).scan.outcome).toBe("moved");
    expect((await cards().get({ id })).location).toBe("C");
    expect((await scans().list({ run_id })).data).toHaveLength(1);
    expect(await codeFrom(scan("another text", scanId))).toBe("conflict");
    const other = await runAt("A");
    expect(await codeFrom(other.scan(sku ?? "", scanId))).toBe("conflict");
  });

  test("starts one run", async () => {
    const { run_id } = await runAt("A");
    expect(await scans().start({ run_id, location: "B" })).toMatchObject({ location: "A" });
    expect((await scans().runs({})).data.filter((run) => run.run_id === run_id)).toHaveLength(1);
  });
});

describe("undo", () => {
  test("takes the last moves back, one after the other, the place too", async () => {
    const { scan, undo } = await runAt("A");
    const { id, sku } = await cards().create({ location: "B" });
    const place = (await scan("LOC:Z")).scan;
    const moved = (await scan(sku ?? "")).scan;
    await scan("unknown text");
    expect(await codeFrom(undo(place.scan_id))).toBe("conflict");
    const undone = await undo(moved.scan_id);
    expect(undone.scan.undone_at).not.toBeNull();
    expect((await undo(moved.scan_id)).scan).toEqual(undone.scan);
    expect((await cards().get({ id })).location).toBe("B");
    expect((await undo(place.scan_id)).run.location).toBe("A");
    expect((await scan(sku ?? "")).scan).toMatchObject({ outcome: "moved", location: "A" });
  });

  test("409 conflict where the card has been moved since; 404 for another run's scan", async () => {
    const { scan, undo, run_id } = await runAt("A");
    const { id, sku } = await cards().create({});
    const { scan_id } = (await scan(sku ?? "")).scan;
    await cards().update({ id, location: "C" });
    expect(await codeFrom(undo(scan_id))).toBe("conflict");
    const other = await runAt("A");
    expect(await codeFrom(other.undo(scan_id))).toBe("not_found");
    expect(await codeFrom(scans().undo({ run_id, scan_id: randomUUID() }))).toBe("not_found");
  });
});

test("every move is in the card's history as a scan, with whoever scanned", async () => {
  const { scan, undo } = await runAt("A");
  const { id, sku } = await cards().create({ location: "B" });
  const moved = (await scan(sku ?? "")).scan;
  await undo(moved.scan_id);
  const { data } = await cards().history({ id });
  const actor = { kind: "member", id: dealer.owner.userId };
  expect(data.slice(0, 2)).toMatchObject([
    { via: "scan", actor, changes: [{ field: "location", to: "B" }] },
    { via: "scan", actor, changes: [{ field: "location", to: "A" }] },
  ]);
});
