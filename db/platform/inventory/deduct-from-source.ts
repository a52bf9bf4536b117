import type { EntityManager } from '@mikro-orm/postgresql';
import { minus, none } from '../../../domain/money/quantity.ts';
import { moveStock, type StockMove } from './move-stock.ts';

/** Takes goods out of a source's stock. Refused with: 400 when it has less. See `moveStock`. */
export const deductFromSource = (em: EntityManager, ...goods: readonly StockMove[]): Promise<void> =>
  moveStock(
    em,
    goods.map((move) => ({ ...move, qty: minus(none, move.qty) })),
  );
