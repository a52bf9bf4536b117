import type { EntityManager } from '@mikro-orm/postgresql';
import { outsideName } from '../installation/outside-name.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { spendingColumns, spendingParts, type Spending } from './conclude-spending.ts';

/** The most that one sweep takes; the next sweep comes a minute later. */
const mostAtOnce = 100;
/** How long a cashier may retry: the same order finds what was spent for it. */
export const patienceMinutes = 10;

/** Spendings to undo, or that will never have an order. Held ones wait for a person, or for a repeat of their order. */
const lostSpendingCondition = `
  order_id is null and (state = 'returning'
    or (state in ('reserved', 'spent') and held_at is null and updated_at < now() - interval '${patienceMinutes} minutes'))`;

/**
 * Outside spendings, certain or possible, of orders that were never saved; the longest untouched first. A limited
 * number per provider, so that one that is away does not hide others.
 */
export const findLostSpendings = (em: EntityManager): Promise<Spending[]> => selectCreditWork.all(em, { mostAtOnce });

const selectCreditWork = sql('find-credit-work.selectCreditWork', { gives: spendingParts })`
  select ${spendingColumns} from (
    select s.*, row_number() over (partition by provider_code order by updated_at) as place from credit_spending s
    where ${lostSpendingCondition}) as lost
  where place <= $mostAtOnce order by updated_at`;

/** Longer than a call in progress may take. */
const quietSeconds = 30;

/** Whether a sweep has any credit work of its own. Three index look-ups. */
export const hasCreditWork = async (em: EntityManager): Promise<boolean> =>
  (await findAnyWork.first(em))?.isThere === true;

const findAnyWork = sql('find-credit-work.findAnyWork')`
  select exists (select from reward_points_due)
    or exists (select from order_credit_return where state = 'pending')
    or exists (select from credit_spending where ${lostSpendingCondition}) as is_there`;

/** A refund to credit whose workflow may be lost. */
export type ReservedRefund = RowFrom<typeof findReserved>;

/**
 * Undecided refunds to credit. Most have a workflow that asks their provider; starting it again does no harm. Chosen at
 * random, and so many of each provider, so that one that is away for long hides no other refund.
 */
export const findReservedRefunds = (em: EntityManager): Promise<ReservedRefund[]> =>
  findReserved.all(em, { quietSeconds, mostAtOnce });

const findReserved = sql('find-credit-work.findReserved')`
  select refund_id, order_id, coalesce(request_key, 'refund-' || refund_id) as request_key from (
    select refund_id, order_id, request_key, row_number() over (partition by provider_code order by random()) as place
    from credit_refund
    where state = 'reserved' and created_at < now() - make_interval(secs => $quietSeconds)) as p
  where p.place <= $mostAtOnce`;

/** A leg that an outside provider must still be told about. */
export type PendingReturn = Omit<RowFrom<typeof findPending>, 'returnKey' | 'nameTail' | 'incrementId'> & {
  key: string;
  reason: string;
};

/** Legs that outside providers must be told about; those tried before come last. */
export async function findPendingReturns(em: EntityManager): Promise<PendingReturn[]> {
  const rows = await findPending.all(em, { mostAtOnce });
  return rows.map(({ returnKey, nameTail, incrementId, ...leg }) => ({
    ...leg,
    key: outsideName(returnKey, nameTail),
    reason: `Given back with order ${incrementId}`,
  }));
}

const findPending = sql('find-credit-work.findPending')`
  select r.credit_return_id, r.return_key, r.name_tail, r.base_amount, r.points, c.order_id, c.provider_code,
    c.customer_id, c.website_id, c.code, o.base_currency_code, o.increment_id
  from order_credit_return r
  join order_credit c on c.credit_id = r.credit_id join sales_order o on o.entity_id = c.order_id
  where r.state = 'pending' order by r.updated_at limit $mostAtOnce`;

/** Records that the provider has it. A repeat changes nothing. */
export async function markReturnDelivered(em: EntityManager, creditReturnId: number): Promise<void> {
  await deliver.run(em, { creditReturnId });
}

const deliver = sql('find-credit-work.deliver')`
  update order_credit_return set state = 'booked', updated_at = now()
  where credit_return_id = $creditReturnId and state = 'pending'`;

/** The provider did not take it: the next sweep tries others first. */
export async function postponeLeg(em: EntityManager, creditReturnId: number): Promise<void> {
  await behind.run(em, { creditReturnId });
}

const behind = sql('find-credit-work.behind')`
  update order_credit_return set updated_at = now() where credit_return_id = $creditReturnId`;
