import type { EntityManager } from '@mikro-orm/postgresql';
import { money, type Amount } from '../../domain/money/amount.ts';
import { outsideName } from '../installation/outside-name.ts';
import { query } from '../support/query.ts';
import { CreditRefund } from './credit-refund.entity.ts';
import { lostSpendingCondition } from './find-lost-spendings.ts';

/** What one sweep looks at; the next comes a minute later. */
const mostAtOnce = 100;
/** Longer than a call that is under way may take. */
const quietSeconds = 30;

const workText = `
select exists (select from reward_points_due)
  or exists (select from order_credit_return where state = 'pending')
  or exists (select from credit_spending where ${lostSpendingCondition})
  or exists (select from credit_refund where state = 'reserved' and created_at < now() - make_interval(secs => $1)) as is_there`;

/** Whether a sweep has anything to do for credit. Four looks into indexes. */
export async function hasCreditWork(em: EntityManager): Promise<boolean> {
  const [row] = await query<{ is_there: boolean }>(em, workText, [quietSeconds]);
  return row?.is_there === true;
}

const reservedText = `
select refund_id from (
  select refund_id, row_number() over (partition by provider_code order by created_at) as place from credit_refund
  where state = 'reserved' and created_at < now() - make_interval(secs => $1)) as r
where place <= ${mostAtOnce}`;

/** Refunds to credit nobody concluded, the oldest first; so many of each provider, for one that is away hides no other. */
export async function findReservedRefunds(em: EntityManager): Promise<CreditRefund[]> {
  const rows = await query<{ refund_id: number }>(em, reservedText, [quietSeconds]);
  const refundId = { $in: rows.map((row) => row.refund_id) };
  return em.find(CreditRefund, { refundId }, { orderBy: { createdAt: 'asc' } });
}

/** A leg that a provider outside still has to be told of. */
export interface PendingReturn {
  creditReturnId: number;
  key: string;
  orderId: number;
  providerCode: string;
  customerId: number | null;
  websiteId: number;
  code: string | null;
  baseAmount: Amount;
  baseCurrencyCode: string;
  points: number | null;
  reason: string;
}

const pendingText = `
select r.credit_return_id, r.return_key, r.name_tail, r.base_amount, r.points, c.order_id, c.provider_code, c.customer_id,
  c.website_id, c.code, o.base_currency_code, o.increment_id
from order_credit_return r
join order_credit c on c.credit_id = r.credit_id join sales_order o on o.entity_id = c.order_id
where r.state = 'pending' order by r.updated_at limit ${mostAtOnce}`;

interface PendingRow {
  credit_return_id: number;
  return_key: string;
  name_tail: string | null;
  base_amount: string;
  points: number | null;
  order_id: number;
  provider_code: string;
  customer_id: number | null;
  website_id: number;
  code: string | null;
  base_currency_code: string;
  increment_id: string;
}

/** Legs providers outside have to be told of; one that was tried comes behind those that were not. */
export async function findPendingReturns(em: EntityManager): Promise<PendingReturn[]> {
  const rows = await query<PendingRow>(em, pendingText, []);
  return rows.map((row) => ({
    creditReturnId: row.credit_return_id,
    key: outsideName(row.return_key, row.name_tail),
    orderId: row.order_id,
    providerCode: row.provider_code,
    customerId: row.customer_id,
    websiteId: row.website_id,
    code: row.code,
    baseAmount: money(row.base_amount),
    baseCurrencyCode: row.base_currency_code,
    points: row.points,
    reason: `Given back with order ${row.increment_id}`,
  }));
}

/** The provider has it. A repeat changes nothing. */
export const markReturnDelivered = (em: EntityManager, creditReturnId: number) =>
  query(
    em,
    `update order_credit_return set state = 'booked', updated_at = now() where credit_return_id = $1 and state = 'pending'`,
    [creditReturnId],
  );

/** It was not taken: the next sweep tries others before it. */
export const putBehind = (em: EntityManager, creditReturnId: number) =>
  query(em, 'update order_credit_return set updated_at = now() where credit_return_id = $1', [creditReturnId]);
