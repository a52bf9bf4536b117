import { grownRow, madeAtOf } from './grow-shop.ts';
import type { ListAsked } from './lists.ts';
import type { Filter } from './page-criteria.ts';

/** A list of the shop, with everything that it can be asked for. */
export interface ListKind {
  name: string;
  path: string;
  find: ListAsked['find'];
  /** The size is the number of rows; each finds a constant number of them. */
  filters: (size: number) => readonly Filter[];
  /** These find most rows, whose number is kept. */
  common: readonly Filter[];
  /**
   * These look at more in a bigger shop (docs/reference/limits.md): they find most rows, which are counted one by one,
   * or have no index.
   */
  growing: readonly Filter[];
  sorts: readonly string[];
  /** By a column with few values: all rows of the first value are sorted by their key. */
  coarseSorts: readonly string[];
  /** The time by which the newest are first. */
  moment: string;
}

/** The last day: the same number of rows at each size. */
export const lastDay = (field: string, size: number): Filter => [field, madeAtOf(size - 1_440).toISOString(), 'gteq'];

/** One row by its id, or those that share another row's. */
export const oneRow = (field: string): Filter => [field, String(grownRow(7))];
