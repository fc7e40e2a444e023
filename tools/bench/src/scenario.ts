/** Where Agenda keeps its jobs while a scenario runs. */
export type StoreKind = "postgres" | "mongodb";

/** What the command line says. Every scenario has defaults of its own for what is left out. */
export interface ScenarioOptions {
  readonly store: StoreKind;
  /** Says where the time goes, where that slows down what is measured. */
  readonly profile: boolean;
  /** How long the load lasts. */
  readonly seconds?: number | undefined;
  readonly minutes?: number | undefined;
  readonly events?: number | undefined;
  readonly endpoints?: number | undefined;
  readonly kills?: number | undefined;
  /** Deliveries that wait when the worker starts. */
  readonly due?: number | undefined;
  readonly attempts?: number | undefined;
  readonly cards?: number | undefined;
  /** A folder in which the data of the scenario stay. */
  readonly keep?: string | undefined;
  /** One part of a scenario that has several. */
  readonly only?: string | undefined;
}

/** A figure must reach a goal, or must not exceed it. */
export interface Goal {
  readonly figure: string;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** Printed in this order, as `name=value`. */
export type Figures = Record<string, number | string>;

export interface ScenarioResult {
  readonly figures: Figures;
  readonly goals: readonly Goal[];
}

export interface Scenario {
  readonly name: string;
  /** What it measures, for the list of scenarios. */
  readonly sentence: string;
  run(options: ScenarioOptions): Promise<ScenarioResult>;
}

/** A goal's sentence and whether it is met. A figure that is missing or no number meets no goal. */
export function judge({ figure, atLeast, atMost }: Goal, figures: Figures): [boolean, string] {
  const value = figures[figure];
  const isMet =
    typeof value === "number" &&
    !Number.isNaN(value) &&
    value >= (atLeast ?? Number.NEGATIVE_INFINITY) &&
    value <= (atMost ?? Number.POSITIVE_INFINITY);
  const bounds = [
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ].join(" and ");
  return [isMet, `${figure} = ${String(value)}, goal: ${bounds}`];
}

/** `name=value` pairs in one line. */
export function figureLine(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}
