import { type EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../domain/errors.ts';
import type { Quantity } from '../../domain/money/quantity.ts';
import { methodOfProcess, type ProcessResolution } from '../../domain/returns/collapsed-return.ts';
import { isCustomer } from '../platform/customers/read-customers.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { judgeMoney } from '../refunds/judge-money.ts';
import type { ProviderSays } from '../returns/new-return.ts';
import { refuseUnlessEligible } from '../returns/refuse-unless-eligible.ts';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { transact } from '../support/transact.ts';
import { insertProcess } from './insert-process.ts';
import { refuseUnlessIssued } from './issue-store-credit.ts';
import { askedForAnother, runOfRequest } from './run-of-request.ts';
import { refuseTaken } from '../support/refuse-taken.ts';

export interface ProcessedItem {
  orderItemId: number;
  qty: Quantity;
  reason: string | null;
  condition: string | null;
  resolution: string | null;
  /** The provider's id of the resolution. */
  resolutionId: string | null;
}

export interface NewProcess {
  orderId: number;
  /** The request's idempotency key. A request with the same key is the same collapsed return. */
  requestKey: string;
  customerId: number | null;
  items: readonly ProcessedItem[];
  resolution: ProcessResolution;
  /**
   * The provider's id of the resolution of the whole collapsed return, which decides how the money goes back. Null: the
   * provider has none like it.
   */
  resolutionId: string | null;
  isOnline: boolean;
  comment: string | null;
  author: string;
  provider: ProviderSays;
  canRefundThrough: (paymentMethod: string) => boolean;
  /** The provider of store credit in the order's store, by its code; undefined: none. */
  storeCreditIn: string | undefined;
  /** Until then it may begin, by the database's clock. Absent: at any time. */
  beginBefore?: string | undefined;
}

export interface OpenedProcess {
  processId: number;
  /** An earlier run of the same request opened it. */
  isReused: boolean;
}

/**
 * Writes down a collapsed return before a provider or a gateway is called (spec 4.8 process). It is checked under the
 * order lock.
 *
 * From now on its lines count as coming back, so a second request for the same goods is not eligible. Safe to repeat
 * under its key: the existing one is answered as it is now. One that was refused because of another refund is opened
 * again.
 *
 * Refused with: 404 unknown order, store credit for an unknown customer · 400 `return_not_eligible`, a part of a whole
 * piece · 400 store credit without a customer, for a customer other than the order's, or without a provider · 400 money
 * that cannot go back in this way · 400 a key that was used for another request.
 */
export const openProcess = (em: EntityManager, wanted: NewProcess): Promise<OpenedProcess> =>
  // Where the key is taken, a concurrent request with it on another order was faster.
  refuseTaken(() => transact(em, (tx) => openUnderLock(tx, wanted)), askedForAnother);

async function openUnderLock(em: EntityManager, wanted: NewProcess): Promise<OpenedProcess> {
  const { orderId, items, requestKey, resolution, isOnline, comment, author } = wanted;
  const order = await lockOrder(em, orderId);
  const known = await runOfRequest(em, wanted);
  if (known && !known.isHeldUp) return { ...known, isReused: true };
  if (wanted.beginBefore !== undefined) await refuseTooLate(em, wanted.beginBefore);
  const customerId = await judgeRun(em, order, wanted);
  const { canRefundThrough } = wanted;
  await judgeMoney(em, { order, returnId: null, items, method: methodOfProcess(wanted), canRefundThrough });
  if (known) return reopenProcess(em, known.processId);
  const processId = await insertProcess(em, {
    run: { orderId, requestKey, customerId, resolution, isOnline, comment, author: author.slice(0, 255) },
    items: items.map(({ resolutionId: _option, ...item }) => item),
  });
  return { processId, isReused: false };
}

/**
 * Checks under the order lock that these goods may come back in this way.
 *
 * Refused with: 400 `return_not_eligible`, a part of a whole piece · as `customerOf`.
 *
 * @returns the customer who would get the store credit
 */
export async function judgeRun(em: EntityManager, order: LockedOrder, wanted: RunToJudge): Promise<number | null> {
  await refuseUnlessBothEligible(em, wanted);
  return customerOf(em, order, wanted);
}

export type RunToJudge = Omit<NewProcess, 'isOnline' | 'comment' | 'author' | 'canRefundThrough'>;

/** Opens a collapsed return again that was refused, in the caller's transaction, under the order lock. */
export async function reopenProcess(em: EntityManager, processId: number): Promise<OpenedProcess> {
  await openAgain.run(em, { processId });
  return { processId, isReused: false };
}

const openAgain = statement({
  takes: { processId: integer },
  text: `
    update return_process set state = 'open', refusal = null, updated_at = now() where process_id = $processId`,
});

/** A line can have its own resolution, but the money follows that of the whole return: both must be eligible. */
async function refuseUnlessBothEligible(em: EntityManager, wanted: RunToJudge): Promise<void> {
  const { orderId, provider, items, resolutionId } = wanted;
  const rows = items.map((item) => ({ orderItemId: item.orderItemId, qty: item.qty, resolutionId: item.resolutionId }));
  await refuseUnlessEligible(em, { orderId, provider, rows });
  if (resolutionId === null || rows.every((row) => row.resolutionId === resolutionId)) return;
  await refuseUnlessEligible(em, { orderId, provider, rows: rows.map((row) => ({ ...row, resolutionId })) });
}

/**
 * The customer who gets the store credit: the order's customer, or for a guest's order the one the register names.
 * Checked before goods move.
 */
export async function customerOf(
  em: EntityManager,
  order: LockedOrder,
  { customerId, resolution, storeCreditIn }: Pick<NewProcess, 'customerId' | 'resolution' | 'storeCreditIn'>,
): Promise<number | null> {
  const own = order.customerId;
  if (own !== null && customerId !== null && own !== customerId)
    throw invalid('The order belongs to another customer than %1.', [customerId]);
  const whose = own ?? customerId;
  if (resolution !== 'store_credit') return whose;
  refuseUnlessIssued(storeCreditIn);
  if (whose === null) throw invalid('Store credit needs a customer: name one, or choose another resolution.');
  if (!(await isCustomer(em, whose))) throw noSuchEntity('customerId', whose);
  return whose;
}
