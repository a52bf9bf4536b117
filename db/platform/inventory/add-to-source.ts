import type { EntityManager } from '@mikro-orm/postgresql';
import { moveStock, type StockMove } from './move-stock.ts';

/** Puts goods on a source's shelf, which may be their first there. Refused with: 404 unknown source. See `moveStock`. */
export const addToSource = (em: EntityManager, ...goods: readonly StockMove[]): Promise<void> => moveStock(em, goods);
