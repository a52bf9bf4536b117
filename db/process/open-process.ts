import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../domain/errors.ts';
import { orderOfAnotherCustomer } from '../../domain/refusals/money.ts';
import { isTerminal, methodOfProcess, type ProcessResolution } from '../../domain/returns/return-status.ts';
import { isCustomer } from '../platform/customers/read-customers.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { itemsOf } from '../refunds/refund-intent.ts';
import { judgeMoney, refuseUnlessPayable } from '../refunds/refundable-money.ts';
import { changeReturn } from '../returns/lock-return.ts';
import { refuseUnlessEligible } from '../returns/record-hold-reason.ts';
import { refuseUnlessReady, refuseWhileRefunding } from '../returns/settle-return.ts';
import type { ProviderSays } from '../returns/sold-order.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { type NewRowOf } from '../support/entity-columns.ts';
import { refuseTaken } from '../support/refuse-taken.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { refuseUnlessIssued } from './issue-store-credit.ts';
import { requestedForAnother, runOfRequest, type ProcessedItem } from './process.repository.ts';
import { ReturnProcess, ReturnProcessItem } from './return-process.entity.ts';

export interface ProcessToInsert {
  run: NewRowOf<typeof ReturnProcess>;
  /** Empty for the collapsed return of an existing return, which has its own lines. */
  items: readonly Omit<NewRowOf<typeof ReturnProcessItem>, 'process'>[];
}

/**
 * Writes an open collapsed return with its goods, in the caller's transaction, under the order lock. Returns its id. A
 * repeat writes another one.
 */
async function insertProcess(em: EntityManager, { run, items }: ProcessToInsert): Promise<number> {
  const drawn = await draw.first(em);
  if (!drawn) throw new Error('no id for a run');
  const { processId } = drawn;
  const now = shopNow();
  await insertRows(em, [
    into(ReturnProcess, [{ ...run, processId, createdAt: now, updatedAt: now }]),
    into(
      ReturnProcessItem,
      items.map((item) => ({ ...item, process: processId })),
    ),
  ]);
  return processId;
}

const draw = sql('open-process.draw')`select nextval('return_process_process_id_seq') as process_id`;

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
export const openProcess = (em: EntityManager, requested: NewProcess): Promise<OpenedProcess> =>
  // Where the key is taken, a concurrent request with it on another order was faster.
  refuseTaken(() => transact(em, (tx) => openUnderLock(tx, requested)), requestedForAnother);

async function openUnderLock(em: EntityManager, requested: NewProcess): Promise<OpenedProcess> {
  const { orderId, items, requestKey, resolution, isOnline, comment, author } = requested;
  const order = await lockOrder(em, orderId);
  const known = await runOfRequest(em, requested);
  if (known && !known.isHeldUp) return { ...known, isReused: true };
  if (requested.beginBefore !== undefined) await refuseTooLate(em, requested.beginBefore);
  const customerId = await judgeRun(em, order, requested);
  const { canRefundThrough } = requested;
  await judgeMoney(em, { order, returnId: null, items, method: methodOfProcess(requested), canRefundThrough });
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
export async function judgeRun(em: EntityManager, order: LockedOrder, requested: RunToJudge): Promise<number | null> {
  await refuseUnlessBothEligible(em, requested);
  const { customerId } = requested;
  const isNamed = order.customerId === null && customerId !== null;
  if (isNamed && !(await isCustomer(em, customerId))) throw noSuchEntity('customerId', customerId);
  return customerOf(em, order, requested);
}

export type RunToJudge = Omit<NewProcess, 'isOnline' | 'comment' | 'author' | 'canRefundThrough'>;

/** Opens a collapsed return again that was refused, in the caller's transaction, under the order lock. */
async function reopenProcess(em: EntityManager, processId: number): Promise<OpenedProcess> {
  await openAgain.run(em, { processId });
  return { processId, isReused: false };
}

const openAgain = sql('open-process.openAgain')`
  update return_process set state = 'open', refusal = null, updated_at = now() where process_id = $processId`;

/** A line can have its own resolution, but the money follows that of the whole return: both must be eligible. */
async function refuseUnlessBothEligible(em: EntityManager, requested: RunToJudge): Promise<void> {
  const { orderId, provider, items, resolutionId } = requested;
  const rows = items.map((item) => ({ orderItemId: item.orderItemId, qty: item.qty, resolutionId: item.resolutionId }));
  await refuseUnlessEligible(em, { orderId, provider, rows });
  if (resolutionId === null || rows.every((row) => row.resolutionId === resolutionId)) return;
  await refuseUnlessEligible(em, { orderId, provider, rows: rows.map((row) => ({ ...row, resolutionId })) });
}

/**
 * The customer who gets the store credit: the order's customer, or for a guest's order the one the register names.
 * Checked before goods move.
 */
async function customerOf(
  em: EntityManager,
  order: LockedOrder,
  { customerId, resolution, storeCreditIn }: Pick<NewProcess, 'customerId' | 'resolution' | 'storeCreditIn'>,
): Promise<number | null> {
  const own = order.customerId;
  if (own !== null && customerId !== null && own !== customerId) throw orderOfAnotherCustomer([customerId]);
  const whose = own ?? customerId;
  if (resolution !== 'store_credit') return whose;
  refuseUnlessIssued(storeCreditIn);
  if (whose === null) throw invalid('Store credit needs a customer: name one, or choose another resolution.');
  if (!(await isCustomer(em, whose))) throw noSuchEntity('customerId', whose);
  return whose;
}

export interface ProcessOfReturn {
  returnId: number;
  requestKey: string;
  /** Until then it may begin, by the database's clock. Absent: at any time. */
  beginBefore?: string | undefined;
  resolution: ProcessResolution;
  isOnline: boolean;
  author: string;
  canRefundThrough: (paymentMethod: string) => boolean;
  /** The provider of store credit in the order's store, by its code; undefined: none. */
  storeCreditIn: string | undefined;
}

/**
 * Writes down a collapsed return that finishes an existing return in one call (spec 4.8 fast track).
 *
 * Safe to repeat: the return's open one is answered, whatever this request contains, and under its key the one that it
 * opened before. One that a doubt about another refund held up is opened again. When the return has ended, the one that
 * ended it is answered.
 *
 * Refused with: 404 unknown return · 409 `return_not_ready` · 409 `gateway_uncertain` · 400 as for a new one.
 */
export const openProcessOfReturn = (
  em: EntityManager,
  requested: ProcessOfReturn,
): Promise<{ processId: number | null }> =>
  changeReturn(
    em,
    { returnId: requested.returnId, beginBefore: requested.beginBefore },
    async (tx, { order, rma, refuseLate }) => {
      const { returnId, requestKey, resolution, isOnline, author, storeCreditIn } = requested;
      const runs = await runsOf.all(tx, { returnId, requestKey });
      const open = runs.find(({ state }) => state === 'open');
      if (open) return { processId: open.processId };
      const own = runs.find(({ isOwn }) => isOwn);
      if (own && !own.isHeldUp) return { processId: own.processId };
      if (isTerminal(rma.status)) return { processId: runs.find(({ state }) => state === 'done')?.processId ?? null };
      refuseUnlessReady(rma);
      await refuseWhileRefunding(tx, rma);
      refuseLate();
      const { canRefundThrough } = requested;
      const method = methodOfProcess({ resolution, isOnline });
      await refuseUnlessPayable(tx, { order, returnId, items: itemsOf(rma), method, canRefundThrough });
      if (own) return { processId: (await reopenProcess(tx, own.processId)).processId };
      const run = {
        orderId: order.entityId,
        requestKey,
        customerId: await customerOf(tx, order, { customerId: rma.customerId, resolution, storeCreditIn }),
        resolution,
        isOnline,
        author: author.slice(0, 255),
        returnId,
        isFastTrack: true,
      };
      return { processId: await insertProcess(tx, { run, items: [] }) };
    },
  );

const runsOf = sql('open-process.runsOf')`
  select process_id, state, request_key = $requestKey as is_own,
    state = 'refused' and (refusal ->> 'status') = '409' as is_held_up
  from return_process
  where return_id = $returnId and (state in ('open', 'done') or request_key = $requestKey) order by process_id`;
