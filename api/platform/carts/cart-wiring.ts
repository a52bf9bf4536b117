import type { CartTenderSource } from '../../../db/platform/carts/cart-tender.ts';
import type { CartOwner } from '../../../db/platform/carts/lock-cart.ts';
import type { OrderHook } from '../../../db/platform/order-saves/create-order.ts';
import type { Log } from '../../../providers/log.ts';
import type { Caller, Surroundings } from '../../http/route.ts';

/** What others want of carts: what pays beside money, and what happens when an order is placed. */
export interface CartWiring {
  sources: readonly CartTenderSource[];
  hooksFor: (log: Log, caller: Caller) => readonly OrderHook[];
}

/** Whose cart is meant comes from the token alone, and from the website the call runs in. */
export const ownerOf = ({ caller, store }: Pick<Surroundings, 'caller' | 'store'>): CartOwner => ({
  customerId: caller.userId,
  websiteId: store.websiteId,
});
