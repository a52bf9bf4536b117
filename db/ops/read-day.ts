import type { EntityManager } from '@mikro-orm/postgresql';
import { isWebAddress } from '../../domain/configuration/resolvables.ts';
import { parseAmount, zero, type Amount } from '../../domain/money.ts';
import { openStatuses } from '../../domain/returns/return-status.ts';
import { nothingSealed, readShopSettings } from '../configuration/read-shop-settings.ts';
import { isTimeZone } from '../../domain/local-day.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import type { Seen } from './doubts.ts';

/** What waits, the time zones and the settings of the operator's pages. */

const open = openStatuses.map((status) => `'${status}'`).join(', ');

const waiting = sql('ops/read-day.waiting')`
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

const zones = sql('ops/read-day.zones')`
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

const processors = ['provider_a', 'provider_b', 'provider_c'] as const;

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
