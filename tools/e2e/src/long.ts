/** `E2E_LONG=1`: the times of the specification instead of those that fit into every test run. */
export const isLong = process.env["E2E_LONG"] === "1";
