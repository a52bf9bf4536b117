import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundToTell, RefundedLeg } from '../../domain/mails/refund-letter.ts';
import { zero } from '../../domain/money/amount.ts';
import { settleMethods } from '../../domain/returns/refund-method.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import { OrderCredit } from '../credits/order-credit.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amount, integer, orNull, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { mailableAddress } from './mailable-address.ts';

/**
 * The content and the address of a refund's mail, read when it is sent. Reads only.
 *
 * @returns undefined without an address, or for the walk-in customer's
 */
export async function readRefundToTell(
  em: EntityManager,
  creditMemoId: number,
): Promise<{ to: string; refund: RefundToTell } | undefined> {
  const row = await read.first(em, { creditMemoId });
  const to = row && (await mailableAddress(em, { customerEmail: row.customerEmail, storeId: row.storeId }));
  if (!to) return undefined;
  const shopName = await readStoreSetting(em, 'general/store_information/name', row.storeId);
  return {
    to,
    refund: {
      locale: row.locale,
      shopName: shopName === '' ? row.storeName : shopName,
      orderIncrementId: row.orderIncrementId,
      memoIncrementId: row.memoIncrementId,
      method: settleMethods.find((method) => method === row.method) ?? 'original_payment',
      currencyCode: row.currencyCode,
      total: row.total,
      legs: (await legsOf.all(em, { creditMemoId })).map(toldLeg),
    },
  };
}

const read = statement({
  takes: { creditMemoId: integer },
  gives: {
    ...of(Order, 'customerEmail', 'storeId'),
    orderIncrementId: text,
    memoIncrementId: text,
    method: orNull(text),
    currencyCode: text,
    total: amount,
    storeName: text,
    locale: text,
  },
  text: `
    select o.customer_email, o.increment_id as order_increment_id, m.increment_id as memo_increment_id,
      r.refund_method as method, o.order_currency_code as currency_code, m.grand_total as total, o.store_id,
      v.name as store_name, v.locale
    from sales_creditmemo m
    join sales_order o on o.entity_id = m.order_id
    join store_view v on v.store_id = o.store_id
    left join sale_return r on r.credit_memo_id = m.entity_id
    where m.entity_id = $creditMemoId`,
});

const legsOf = statement({
  takes: { creditMemoId: integer },
  gives: of(OrderCredit, 'kind', 'appliesAs', 'amount', 'points'),
  text: `
    select c.kind, c.applies_as, l.amount, l.points
    from order_credit_return l join order_credit c on c.credit_id = l.credit_id
    where l.credit_memo_id = $creditMemoId order by l.credit_return_id`,
});

/** Points that were a discount were never money: only their number comes back. */
const toldLeg = ({ kind, appliesAs, amount: worth, points }: RowFrom<typeof legsOf>): RefundedLeg => ({
  kind,
  amount: appliesAs === 'tender' ? worth : zero,
  points,
});
