import type { EntityManager } from '@mikro-orm/postgresql';
import type { Spending } from '../../db/credits/conclude-spending.ts';
import { isOnInvoice } from '../../db/orders/is-on-invoice.ts';
import { createOrder } from '../../db/platform/place-order.ts';
import type { OrderHook } from '../../db/platform/orders/saved-order.ts';
import type { SavedOrder } from '../../db/platform/orders/saved-order.ts';
import { orderOfSale } from '../../db/platform/place-order.ts';
import type { PostedOrder } from '../../db/platform/orders/posted-order.ts';
import { PosError } from '../../domain/errors.ts';
import { placeWithCredit } from '../../providers/credits/place-with-credit.ts';
import type { Log } from '../../providers/log.ts';
import type { Caller, RouteContext } from '../http/route.ts';

/** Hooks of the transaction that saves the order, with its outside spendings. */
type SaleHooks = (log: Log, caller: Caller, spentOutside: readonly Spending[]) => readonly OrderHook[];

/**
 * Places an order for the platform's routes, with the credit that pays it, kept here or outside (spec 4.6). See
 * `placeWithCredit`.
 */
export const createPlaceSale =
  (hooksFor: SaleHooks) =>
  (posted: PostedOrder, context: RouteContext, noted: OrderHook): Promise<SavedOrder> => {
    const { em, store, now, log, caller, providers } = context;
    const ofPath = store.storeId > 0 ? { storeId: store.storeId } : {};
    const hooks = (spent: readonly Spending[]) => [...hooksFor(log, caller, spent), noted];
    return placeWithCredit(
      { em, credits: providers.credits, log },
      {
        requestKey: orderKeyOf(posted, context),
        place: (spent) => createOrder(em, posted, { ...ofPath, hooks: hooks(spent), isOnInvoice, now }),
      },
    ).catch((error: unknown) => placedByRival(em, posted, error));
  };

/** A concurrent request of the same sale may have used its credit first: then the order is that one's. */
async function placedByRival(em: EntityManager, posted: PostedOrder, error: unknown): Promise<SavedOrder> {
  const rival = error instanceof PosError && error.status === 400 ? await orderOfSale(em, posted) : undefined;
  if (rival) return rival;
  throw error;
}

/** The name that makes a repeated order the same order. */
function orderKeyOf({ columns }: PostedOrder, { caller, header, requestId, operation }: RouteContext): string | null {
  const { incrementId, extOrderId, posSaleId } = columns;
  if (incrementId) return `increment-${incrementId}`;
  if (extOrderId) return `order-${extOrderId}`;
  if (posSaleId) return `sale-${posSaleId}`;
  if (operation.isNamed) return `operation-${operation.key}`;
  return header('x-request-id') === requestId ? `request-${caller.userType}-${caller.userId}-${requestId}` : null;
}
