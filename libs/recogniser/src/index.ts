export { asDigits } from "./parse-text.ts";
export type { CardReading, ReadCertificate, ReadCode, ReadNumber } from "./reading.ts";
export { createRecogniser, RecogniserBusyError } from "./recogniser.ts";
export type { Recogniser, RecogniserOptions } from "./recogniser.ts";
