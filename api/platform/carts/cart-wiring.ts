import type { CartTenderSource } from '../../../db/platform/carts/cart-tender.ts';
import type { OrderHook } from '../../../db/platform/order-saves/create-order.ts';
import type { Log } from '../../../providers/log.ts';
import type { Caller } from '../../http/route.ts';

/** Hooks into carts: other tenders than money, and what happens when an order is placed. */
export interface CartWiring {
  sources: readonly CartTenderSource[];
  hooksFor: (log: Log, caller: Caller) => readonly OrderHook[];
}
