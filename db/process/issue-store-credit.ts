import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../domain/money.ts';
import { creditHeldOutside, noProviderForType } from '../../domain/refusals/money.ts';
import { creditRefundKey, creditStores } from '../credits/give-credits-back.ts';
import { CreditRefund } from '../credits/credit.entity.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { sql } from '../support/sql.ts';
import { insertRows, into } from '../support/write-rows.ts';
import type { MemoOfRun } from './read-memo-of-run.ts';

export interface CreditToIssue {
  order: LockedOrder;
  customerId: number;
  memo: MemoOfRun;
  /** The part of the memo that does not go back to the credits the order was paid with. */
  handback: { base: Amount; order: Amount };
}

/**
 * Checked before goods move: there must be a provider of store credit, and it must be our own. Our own credit is given
 * in the memo's transaction. A provider outside is called only later, when the money has come back (our choice).
 *
 * Refused with: 400 no provider, an outside provider.
 *
 * @param providerCode the active provider; undefined: none
 */
export function refuseUnlessIssued(providerCode: string | undefined): void {
  if (providerCode === undefined) throw noProviderForType(['store_credit']);
  if (providerCode !== ourStore()?.providerCode) throw creditHeldOutside([providerCode]);
}

const ourStore = () => creditStores.find(({ kind }) => kind === 'store_credit');

/**
 * Gives the refund of a collapsed return to its customer as store credit, in the memo's transaction (our decision 17).
 *
 * Once for each memo: its request key is unique in the order. It is recorded like a refund to credit that a register
 * requests, so the same money is never given twice. Throws a fault when there is no store credit.
 */
export async function issueStoreCredit(
  em: EntityManager,
  { order, customerId, memo, handback }: CreditToIssue,
): Promise<void> {
  const store = ourStore();
  if (!store) throw new Error('there is no store of store credit');
  const drawn = await draw.first(em, { storeId: order.storeId });
  if (!drawn) throw new Error(`there is no store view ${order.storeId}`);
  const { refundId, nameTail, websiteId } = drawn;
  const reason = `Return of order ${order.incrementId}, credit memo ${memo.incrementId}`;
  const moved = await store.giveBack(em, {
    // The same key as for every refund to credit.
    key: creditRefundKey({ refundId, nameTail }),
    orderId: order.entityId,
    customerId,
    websiteId,
    code: null,
    baseAmount: handback.base,
    amount: handback.order,
    points: null,
    currencyCode: order.baseCurrencyCode,
    reason,
  });
  const refund = {
    refundId,
    nameTail,
    orderId: order.entityId,
    kind: 'store_credit' as const,
    providerCode: store.providerCode,
    customerId,
    websiteId,
    amount: handback.order,
    baseAmount: handback.base,
    currencyCode: order.orderCurrencyCode,
    baseCurrencyCode: order.baseCurrencyCode,
    reason,
    state: 'booked' as const,
    requestKey: `process-${memo.entityId}`,
    transactionId: moved.transactionId,
    remainingBalance: moved.balanceAfter,
    createdAt: memo.createdAt,
    concludedAt: memo.createdAt,
  };
  await insertRows(em, [into(CreditRefund, [refund])]);
}

/** Its id and name are drawn first, because the store needs them before the row is written. */
const draw = sql('issue-store-credit.draw')`
  select nextval('credit_refund_refund_id_seq') as refund_id, new_name_tail() as name_tail, website_id
  from store_view where store_id = $storeId`;
