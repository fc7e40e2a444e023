/**
 * What keeps api and worker small, at the same rate: services/worker/README.md says why, and that every
 * installation should start them so.
 */
export const serviceMemory = {
  nodeArguments: ["--max-semi-space-size=4", "--heap-growing-percent=50"],
  environment: { MALLOC_ARENA_MAX: "2" },
} as const;
