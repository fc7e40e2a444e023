export { serviceMemory } from "./service-memory.ts";
