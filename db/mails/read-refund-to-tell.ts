import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundToTell, ToldLeg } from '../../domain/mails/refund-letter.ts';
import { money, zero } from '../../domain/money/amount.ts';
import { settleMethods } from '../../domain/returns/refund-method.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import { mailableAddress } from './mailable-address.ts';

interface Row {
  customer_email: string | null;
  order_increment_id: string;
  memo_increment_id: string;
  method: string | null;
  currency_code: string;
  total: string;
  store_id: number;
  store_name: string;
}

interface LegRow {
  kind: ToldLeg['kind'];
  applies_as: 'tender' | 'discount';
  amount: string;
  points: number | null;
}

/**
 * What a customer is told of a refund, and where it is sent: read when the mail goes out. Reads only.
 *
 * @returns undefined where there is nobody to tell: no address, or that of the walk-in customer
 */
export async function readRefundToTell(
  em: EntityManager,
  creditMemoId: number,
): Promise<{ to: string; refund: RefundToTell } | undefined> {
  const [row] = await em.execute<Row[]>(
    `select o.customer_email, o.increment_id as order_increment_id, m.increment_id as memo_increment_id,
       r.refund_method as method, o.order_currency_code as currency_code, m.grand_total as total, o.store_id,
       v.name as store_name
     from sales_creditmemo m
     join sales_order o on o.entity_id = m.order_id
     join store_view v on v.store_id = o.store_id
     left join sale_return r on r.credit_memo_id = m.entity_id
     where m.entity_id = ?`,
    [creditMemoId],
  );
  const to = row && (await mailableAddress(em, { customerEmail: row.customer_email, storeId: row.store_id }));
  if (!to) return undefined;
  const shopName = await readStoreSetting(em, 'general/store_information/name', row.store_id);
  return {
    to,
    refund: {
      shopName: shopName === '' ? row.store_name : shopName,
      orderIncrementId: row.order_increment_id,
      memoIncrementId: row.memo_increment_id,
      method: settleMethods.find((method) => method === row.method) ?? 'original_payment',
      currencyCode: row.currency_code,
      total: money(row.total),
      legs: (await legsOf(em, creditMemoId)).map(toldLeg),
    },
  };
}

const legsOf = (em: EntityManager, creditMemoId: number) =>
  em.execute<LegRow[]>(
    `select c.kind, c.applies_as, l.amount, l.points
     from order_credit_return l join order_credit c on c.credit_id = l.credit_id
     where l.credit_memo_id = ? order by l.credit_return_id`,
    [creditMemoId],
  );

/** Points that were a discount were never money: only their number comes back. */
const toldLeg = ({ kind, applies_as: appliesAs, amount, points }: LegRow): ToldLeg => ({
  kind,
  amount: appliesAs === 'tender' ? money(amount) : zero,
  points,
});
