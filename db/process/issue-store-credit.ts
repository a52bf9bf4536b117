import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { giftKeyOf } from '../credits/gift-key-of.ts';
import { CreditRefund } from '../credits/credit-refund.entity.ts';
import { creditStores } from '../credits/credit-stores.ts';
import type { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { query } from '../support/query.ts';

export interface CreditToIssue {
  order: LockedOrder;
  customerId: number;
  memo: CreditMemo;
  /** What of the memo does not go back to the order's own credits. */
  handback: { base: Amount; order: Amount };
}

/**
 * Found out before goods move: who keeps store credit must be there, and in our own database, where it is given in the
 * transaction of the memo. What is kept outside is given by a call of its own, after the money came back (our choice).
 *
 * Refused with: 400 nobody keeps any, it is kept outside.
 *
 * @param providerCode of the active provider; undefined: there is none
 */
export function refuseUnlessIssued(providerCode: string | undefined): void {
  if (providerCode === undefined) throw invalid('No provider is installed for credit type %1.', ['store_credit']);
  if (providerCode !== ourStore()?.providerCode)
    throw invalid('Store credit is kept by "%1" here: refund the goods first, then give the credit.', [providerCode]);
}

const ourStore = () => creditStores.find(({ kind }) => kind === 'store_credit');

/**
 * Pays what a collapsed run refunded into its customer's store credit, in the transaction of the memo (our decision 17).
 *
 * Once per memo: its request key is unique in the order. It is a refund to credit like those a register asks for, so it
 * counts against the order's: nobody is given the same money again by asking for it. Fault when no store of store credit is
 * there.
 */
export async function issueStoreCredit(
  em: EntityManager,
  { order, customerId, memo, handback }: CreditToIssue,
): Promise<void> {
  const store = ourStore();
  if (!store) throw new Error('there is no store of store credit');
  const text = 'select website_id from store_view where store_id = $1';
  const [view] = await query<{ website_id: number }>(em, text, [order.storeId]);
  const websiteId = view?.website_id ?? 0;
  const reason = `Return of order ${order.incrementId}, credit memo ${memo.incrementId}`;
  const refund = em.create(CreditRefund, {
    orderId: order.entityId,
    kind: 'store_credit',
    providerCode: store.providerCode,
    customerId,
    websiteId,
    amount: handback.order,
    baseAmount: handback.base,
    currencyCode: order.orderCurrencyCode,
    baseCurrencyCode: order.baseCurrencyCode,
    reason,
    state: 'booked',
    requestKey: `process-${memo.entityId}`,
    createdAt: memo.createdAt,
    concludedAt: memo.createdAt,
  });
  await em.flush();
  const moved = await store.giveBack(em, {
    // As every refund to credit is known to its store.
    key: giftKeyOf(refund),
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
  refund.transactionId = moved.transactionId;
  refund.remainingBalance = moved.balanceAfter;
}
