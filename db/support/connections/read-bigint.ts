import pg from 'pg';

/**
 * Ids and counts are `bigint` in PostgreSQL and numbers here, as in JSON: both are exact up to 2^53, more rows than a disk holds.
 * The driver would return them as text. What is larger, such as a limit of a sequence, stays text, so that no digit is lost.
 *
 * Once for a process: every connection of `pg` uses its table of types.
 */
export function readBigintAsNumber(): void {
  const { INT8 } = pg.types.builtins;
  const readList: unknown = pg.types.getTypeParser(int8List);
  if (typeof readList !== 'function') return;
  pg.types.setTypeParser(INT8, numberOf);
  pg.types.setTypeParser(int8List, (text: string) => (readList(text) as unknown[]).map(numbersOf));
}

/** Its list, `_int8`: the driver names no types of lists. */
const int8List = 1016 as number as typeof pg.types.builtins.INT8;

const numberOf = (text: string): number | string => (Number.isSafeInteger(Number(text)) ? Number(text) : text);
const numbersOf = (item: unknown): unknown =>
  Array.isArray(item) ? item.map(numbersOf) : typeof item === 'string' ? numberOf(item) : item;
