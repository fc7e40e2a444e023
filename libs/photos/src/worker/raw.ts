/** Pixels without a file around them, 8 bits each, row by row. */
export interface Raw {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}
