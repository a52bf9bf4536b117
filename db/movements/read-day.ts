import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { add, zero, type Amount } from '../../domain/money.ts';
import type { Seen } from '../ops/doubts.ts';
import { definite, text, type Kind } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** A business day of the stores in sums. Each store's day is its own, by its time zone. */
export type OfDay = Seen & { day: string };

/** Movements of money; all other kinds are credit. */
const moneyKinds = `('sale', 'deposit', 'payment', 'refund')`;

const payments = sql('movements/read-day.payments')`
  with zones as materialized (
    select location_id, name, pos_zone_of(location_id) as zone from pos_location
    union all select null, null, pos_zone_of(null))
  select m.location_id, z.name as shop, m.tender, m.currency, to_char(
      m.occurred_at at time zone coalesce(z.zone, pos_zone_of(null)), 'HH24') as hour,
    count(*) filter (where m.amount > 0) as times_in,
    coalesce(sum(m.amount) filter (where m.amount > 0), 0) as money_in,
    count(*) filter (where m.amount < 0) as times_out,
    coalesce(-sum(m.amount) filter (where m.amount < 0), 0) as money_out
  from pos_movement m
  left join zones z on z.location_id is not distinct from m.location_id
  where m.business_day = $day::text::date and m.kind in ${moneyKinds} and m.amount <> 0
    and ($locationIds?::bigint[] is null or m.location_id = any($locationIds::bigint[]))
  group by m.location_id, z.name, m.tender, m.currency, hour
  order by z.name nulls last, m.location_id, m.tender, m.currency, hour`;

type HourOfPayments = RowFrom<typeof payments>;

/** Money in and out of a store by a tender in a currency, with what came in during each hour of the store's clock. */
export type DayTotal = Omit<HourOfPayments, 'hour'> & { byHour: { hour: string; moneyIn: Amount }[] };

/** What was paid and paid back on a day, by store, tender and currency. */
export async function paymentsOn(em: EntityManager, request: OfDay): Promise<DayTotal[]> {
  const sums = new Map<string, DayTotal>();
  for (const { hour, ...one } of await payments.all(em, request)) {
    const key = `${one.locationId} ${one.tender} ${one.currency}`;
    const before = sums.get(key) ?? { ...one, timesIn: 0, moneyIn: zero, timesOut: 0, moneyOut: zero, byHour: [] };
    before.timesIn += one.timesIn;
    before.timesOut += one.timesOut;
    before.moneyIn = add(before.moneyIn, one.moneyIn);
    before.moneyOut = add(before.moneyOut, one.moneyOut);
    if (one.timesIn > 0) before.byHour.push({ hour, moneyIn: one.moneyIn });
    sums.set(key, before);
  }
  return [...sums.values()];
}

const days = sql('movements/read-day.days')`
  select l.name as shop, m.currency, m.day, m.times_in, m.money_in
  from (select location_id, currency, to_char(business_day, 'YYYY-MM-DD') as day, count(*) as times_in,
      sum(amount) as money_in
    from pos_movement
    where business_day between $from::text::date and $to::text::date and kind in ${moneyKinds} and amount > 0
      and ($locationIds?::bigint[] is null or location_id = any($locationIds::bigint[]))
    group by 1, 2, 3) m
  left join pos_location l on l.location_id = m.location_id order by l.name nulls last, m.currency, m.day`;

export type PaidOnDay = RowFrom<typeof days>;

/** What each store was paid on each of the days from one to another, both included. */
export const paidByDay = (em: EntityManager, request: Seen & { from: string; to: string }): Promise<PaidOnDay[]> =>
  days.all(em, request);

const credit = sql('movements/read-day.credit', { gives: { kind: definite(text as Kind<CreditKind>) } })`
  select l.name as shop, e.kind, e.currency, e.count, e.given
  from (select location_id, tender as kind, currency, count(*) as count, sum(amount) as given
    from pos_movement
    where business_day = $day::text::date and kind in ('credit_issued', 'credit_given')
      and ($locationIds?::bigint[] is null or location_id = any($locationIds::bigint[]))
    group by 1, 2, 3) e
  left join pos_location l on l.location_id = e.location_id
  order by l.name nulls last, e.kind, e.currency`;

export type CreditIssued = RowFrom<typeof credit>;

/** The credit that customers got on a day, by store: back from sales, for refunds, and from the office, without store. */
export const creditIssuedOn = (em: EntityManager, request: OfDay): Promise<CreditIssued[]> => credit.all(em, request);
