import type { EntityManager } from '@mikro-orm/postgresql';
import { isWebAddress } from '../../domain/configuration/resolvables.ts';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { add, parseAmount, zero, type Amount } from '../../domain/money.ts';
import { openStatuses } from '../../domain/returns/return-status.ts';
import { readShopSettings } from '../configuration/read-shop-settings.ts';
import { definite, text, type Kind } from '../support/entity-columns.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { isTimeZone } from '../../domain/local-day.ts';
import { sql } from '../support/sql.ts';
import { type RowFrom } from '../support/statement.ts';
import type { Seen } from './doubts.ts';

/** A day of the shops in sums, for the operator's page Today. Each part is read by one index over its time. */

const open = openStatuses.map((status) => `'${status}'`).join(', ');

const totals = sql('read-day.totals')`
  with moved as (
    select p.location_id, coalesce(p.payment_method, '?') as tender, coalesce(p.currency, '?') as currency,
      p.created_at,
      coalesce(case when p.layaway_kind is null then p.grand_total else p.layaway_amount_captured end, 0) as sum,
      false as is_refund
    from pos_receipt p
    where p.created_at >= $from and p.created_at < $to and p.sale_type is distinct from 'refund'
    union all
    select e.location_id, e.tender, e.currency, e.occurred_at, e.amount, true
    from ops_day_entry e where e.occurred_at >= $from and e.occurred_at < $to and e.source in ('memo', 'incident'))
  select s.location_id, l.name as shop, s.tender, s.currency, date_trunc('hour', s.created_at) as hour,
    count(*) filter (where not s.is_refund) as sales,
    coalesce(sum(s.sum) filter (where not s.is_refund), 0) as sold,
    count(*) filter (where s.is_refund) as refunds,
    coalesce(sum(s.sum) filter (where s.is_refund), 0) as refunded
  from moved s left join pos_location l on l.location_id = s.location_id
  where $locationIds?::bigint[] is null or s.location_id = any($locationIds::bigint[])
  group by s.location_id, l.name, s.tender, s.currency, hour order by l.name nulls last, s.tender, s.currency, hour`;

type HourTotal = RowFrom<typeof totals>;

/** Of a shop, a way of paying and a currency, with what was sold in each hour. */
export type DayTotal = Omit<HourTotal, 'hour'> & { byHour: { hour: Date; sold: Amount }[] };

/**
 * What was sold and taken back between two moments, by shop and way of paying: sales from the receipts of the
 * registers, returns from the credit memos.
 */
export async function totalsBetween(em: EntityManager, request: Seen & { from: Date; to: Date }): Promise<DayTotal[]> {
  const sums = new Map<string, DayTotal>();
  for (const { hour, ...one } of await totals.all(em, request)) {
    const key = `${one.locationId} ${one.tender} ${one.currency}`;
    const before = sums.get(key) ?? { ...one, sales: 0, sold: zero, refunds: 0, refunded: zero, byHour: [] };
    before.sales += one.sales;
    before.refunds += one.refunds;
    before.sold = add(before.sold, one.sold);
    before.refunded = add(before.refunded, one.refunded);
    if (one.sales > 0) before.byHour.push({ hour, sold: one.sold });
    sums.set(key, before);
  }
  return [...sums.values()];
}

const days = sql('read-day.days')`
  select l.name as shop, s.currency, s.day, s.sales, s.sold
  from (select p.location_id, coalesce(p.currency, '?') as currency,
      to_char(p.created_at at time zone $timeZone, 'YYYY-MM-DD') as day, count(*) as sales,
      coalesce(sum(case when p.layaway_kind is null then p.grand_total else p.layaway_amount_captured end), 0) as sold
    from pos_receipt p
    where p.created_at >= $from and p.created_at < $to and p.sale_type is distinct from 'refund'
      and ($locationIds?::bigint[] is null or p.location_id = any($locationIds::bigint[]))
    group by 1, 2, 3) s
  left join pos_location l on l.location_id = s.location_id order by l.name nulls last, s.currency, s.day`;

export type SoldOnADay = RowFrom<typeof days>;

/** What each shop sold on each of the days between two moments, for the drawing of the week. */
export const soldByDay = (
  em: EntityManager,
  request: Seen & { from: Date; to: Date; timeZone: string },
): Promise<SoldOnADay[]> => days.all(em, request);

const credit = sql('read-day.credit', { gives: { kind: definite(text as Kind<CreditKind>) } })`
  select l.name as shop, e.kind, e.currency, e.count, e.given
  from (select location_id, tender as kind, currency, count(*) as count, sum(amount) as given
    from ops_day_entry
    where occurred_at >= $from and occurred_at < $to and source <> 'memo'
      and ($locationIds?::bigint[] is null or location_id = any($locationIds::bigint[]))
    group by 1, 2, 3) e
  left join pos_location l on l.location_id = e.location_id
  order by l.name nulls last, e.kind, e.currency`;

export type CreditIssued = RowFrom<typeof credit>;

/**
 * The credit that customers were given between two moments, by shop: back from sales, for refunds, and by the office,
 * which has no shop.
 */
export const creditIssuedBetween = (
  em: EntityManager,
  request: Seen & { from: Date; to: Date },
): Promise<CreditIssued[]> => credit.all(em, request);

const waiting = sql('read-day.waiting')`
  with waits as (
    select r.location_id, 1 as open_return, 0 as doubt from sale_return r where r.status in (${open})
    union all
    select coalesce(r.location_id, c.location_id), 0, 1
    from refund_attempt a join sales_order o on o.entity_id = a.order_id
    left join sale_return r on r.return_id = a.return_id
    left join lateral (select location_id from pos_receipt where order_increment_id = o.increment_id
      order by receipt_id desc limit 1) c on true
    where a.state = 'uncertain')
  select l.name as shop, sum(w.open_return)::bigint as open_returns, sum(w.doubt)::bigint as doubts
  from waits w left join pos_location l on l.location_id = w.location_id
  where $locationIds?::bigint[] is null or w.location_id = any($locationIds::bigint[])
  group by l.location_id, l.name order by l.name nulls last`;

export type Waiting = RowFrom<typeof waiting>;

/** What waits for a person now, by shop. */
export const whatWaits = (em: EntityManager, seen: Seen): Promise<Waiting[]> => waiting.all(em, seen);

const zones = sql('read-day.zones')`
  select w.time_zone from website w left join store_view s on s.website_id = w.website_id
    and s.store_id = (select o.store_id from sales_order o where o.entity_id = $orderId?)
  where w.website_id <> 0 order by s.store_id is null, w.is_default desc, w.website_id limit 1`;

/**
 * The time zone of an order's website; without an order, that of the default website. Undefined where none is known, or
 * where what is set is no zone.
 */
async function zoneFor(em: EntityManager, orderId: number | null): Promise<string | undefined> {
  const zone = (await zones.first(em, { orderId }))?.timeZone ?? '';
  return isTimeZone(zone) ? zone : undefined;
}

/** Of all shops together: that of the default website. */
export const zoneOfShops = (em: EntityManager): Promise<string | undefined> => zoneFor(em, null);

export const zoneOfOrder = (em: EntityManager, orderId: number): Promise<string | undefined> => zoneFor(em, orderId);

/** None of these is sealed. */
const nothingSealed: SecretBox = { seal: () => '', open: () => '', digest: () => '', digests: () => [] };

const processors = ['provider_a', 'provider_b', 'provider_c'] as const;

const cardMethods = sql('read-day.cardMethods', { gives: { method: definite(text) } })`
  select distinct value as method from config_value where path = any($paths::text[]) and value <> ''`;

/** The platform's payment methods of the card processors, in whatever shop: a register says `card` for each. */
export async function methodsOfCards(em: EntityManager): Promise<ReadonlySet<string>> {
  const paths = processors.map((one) => `vendor_pos_terminal/${one}/magento_method` as const);
  const found = await cardMethods.all(em, { paths });
  return new Set([...paths.map((path) => settingDefaults[path] ?? ''), ...found.map(({ method }) => method)]);
}

export interface OpsSettings {
  /** Above this sum in the base currency a second person says the same; undefined: never. */
  twoPeopleAbove: Amount | undefined;
  /** The page of a payment at its processor; undefined where none is set, or where it is no address. */
  portalOf(paymentMethod: string, reference: string): string | undefined;
}

/** The settings of the operator's page in a store view. */
export async function readOpsSettings(em: EntityManager, storeId: number): Promise<OpsSettings> {
  const settings = await readShopSettings(em, { storeId }, nothingSealed, [
    'vendor_pos_advanced/ops/two_people_above',
    ...processors.flatMap((one) => [
      `vendor_pos_advanced/ops/portal_${one}`,
      `vendor_pos_terminal/${one}/magento_method`,
    ]),
  ]);
  const above = settings.text('vendor_pos_advanced/ops/two_people_above').trim();
  return {
    // What is no sum is taken as the strictest one.
    twoPeopleAbove: above === '' ? undefined : (parseAmount(above) ?? zero),
    portalOf(paymentMethod, reference) {
      const one = processors.find(
        (name) => settings.text(`vendor_pos_terminal/${name}/magento_method`) === paymentMethod,
      );
      const address = one && settings.text(`vendor_pos_advanced/ops/portal_${one}`).trim();
      // Only an address of the web: nothing that a browser would run. It may have been set before it was checked.
      const filledIn = address && address.replaceAll('%1', encodeURIComponent(reference));
      return filledIn && isWebAddress(filledIn) ? filledIn : undefined;
    },
  };
}
