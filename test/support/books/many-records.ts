import type { Row } from './cells.ts';

/** So many records, each made from its number; the first is 1. */
export const manyRecords = (count: number, made: (n: number) => Row): Row[] =>
  Array.from({ length: count }, (_, at) => made(at + 1));
