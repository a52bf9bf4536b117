import type { CartTenderSource } from '../../../db/platform/carts/cart-tender.ts';
import type { CartOwner } from '../../../db/platform/carts/lock-cart.ts';
import type { OrderHook } from '../../../db/platform/order-saves/create-order.ts';
import type { Log } from '../../../providers/log.ts';
import type { Caller, Surroundings } from '../../http/route.ts';

/** Hooks into carts: other tenders than money, and what happens when an order is placed. */
export interface CartWiring {
  sources: readonly CartTenderSource[];
  hooksFor: (log: Log, caller: Caller) => readonly OrderHook[];
}

/** The owner of the cart, only by the token and the website of the call. */
export const ownerOf = ({ caller, store }: Pick<Surroundings, 'caller' | 'store'>): CartOwner => ({
  customerId: caller.userId,
  websiteId: store.websiteId,
});
