import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../domain/errors.ts';
import type { Quantity } from '../../domain/money/quantity.ts';
import { methodOfProcess, type ProcessResolution } from '../../domain/returns/collapsed.ts';
import { isCustomer } from '../platform/customers/read-customers.ts';
import { lockOrder, paymentOf, type LockedOrder } from '../platform/orders/lock-order.ts';
import { untrackable } from '../refunds/open-refund-attempt.ts';
import { refuseUnlessEligible, type ProviderSays } from '../returns/create-return.ts';
import { transact } from '../support/transact.ts';
import { ReturnProcess, ReturnProcessItem } from './return-process.entity.ts';

export interface ProcessedItem {
  orderItemId: number;
  qty: Quantity;
  reason: string | null;
  condition: string | null;
  resolution: string | null;
  /** What the provider calls the resolution. */
  resolutionId: string | null;
}

export interface NewProcess {
  orderId: number;
  /** Our own name for the request. */
  requestKey: string;
  customerId: number | null;
  items: readonly ProcessedItem[];
  resolution: ProcessResolution;
  isOnline: boolean;
  comment: string | null;
  author: string;
  provider: ProviderSays;
  canRefundThrough: (paymentMethod: string) => boolean;
}

/**
 * Writes down a collapsed run before anybody outside is called, judged under the order lock (spec 4.8 process).
 *
 * Its lines count as coming back from here on: of two submissions of the same goods the second is not eligible.
 *
 * Refused with: 404 unknown order, store credit for a customer nobody knows · 400 `return_not_eligible`, a part of a whole
 * piece · 400 store credit for nobody or for somebody else than the order's customer · 400 a payment no gateway can give
 * back, where one was wanted.
 */
export const openProcess = (em: EntityManager, wanted: NewProcess): Promise<{ processId: number }> =>
  transact(em, async (tx) => {
    const { orderId, provider, items, requestKey, resolution, isOnline, comment, author } = wanted;
    const order = await lockOrder(tx, orderId);
    const rows = items.map(({ orderItemId, qty, resolutionId }) => ({ orderItemId, qty, resolutionId }));
    await refuseUnlessEligible(tx, { orderId, provider, rows });
    refuseUnlessPayable(order, wanted);
    const customerId = await customerOf(tx, order, wanted);
    const process = tx.create(ReturnProcess, {
      orderId,
      requestKey,
      customerId,
      resolution,
      isOnline,
      comment,
      author: author.slice(0, 255),
    });
    for (const { resolutionId: _option, ...item } of items) tx.create(ReturnProcessItem, { ...item, process });
    await tx.flush();
    return { processId: process.processId };
  });

/** Found out before goods and money move: an order that can only be refunded from the admin is not half returned. */
function refuseUnlessPayable(order: LockedOrder, wanted: NewProcess): void {
  const { method } = paymentOf(order);
  if (methodOfProcess(wanted) === 'original_payment' && !wanted.canRefundThrough(method))
    throw untrackable(method, null);
}

/**
 * Whose store credit it would be: the order's customer, or for a guest's order the one the register names. Found out before
 * goods move, too: nobody's wallet cannot be paid into.
 */
export async function customerOf(
  em: EntityManager,
  order: LockedOrder,
  { customerId, resolution }: Pick<NewProcess, 'customerId' | 'resolution'>,
): Promise<number | null> {
  const own = order.customerId ?? null;
  if (own !== null && customerId !== null && own !== customerId)
    throw invalid('The order belongs to another customer than %1.', [customerId]);
  const whose = own ?? customerId;
  if (resolution !== 'store_credit') return whose;
  if (whose === null) throw invalid('Store credit needs a customer: name one, or choose another resolution.');
  if (!(await isCustomer(em, whose))) throw noSuchEntity('customerId', whose);
  return whose;
}
