import type { EntityManager } from '@mikro-orm/postgresql';
import { isTimeZone } from '../../../domain/local-day.ts';
import { definite, text } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';

/** A zone as stored, or UTC where it is not known here. */
export const knownZone = (zone: string | null | undefined): string => (zone && isTimeZone(zone) ? zone : 'UTC');

/** The time zone in which a website's days begin and end. */
export const timeZoneOfWebsite = async (em: EntityManager, websiteId: number): Promise<string> =>
  knownZone((await ofWebsite.first(em, { websiteId }))?.timeZone);

const ofWebsite = sql('time-zone.ofWebsite')`select time_zone from website where website_id = $websiteId`;

/** The same for the website of a store view. */
export const timeZoneOfStore = async (em: EntityManager, storeId: number): Promise<string> =>
  knownZone((await ofStore.first(em, { storeId }))?.timeZone);

const ofStore = sql('time-zone.ofStore')`
  select w.time_zone from store_view s join website w on w.website_id = s.website_id where s.store_id = $storeId`;

/** That of a location, or of its website; without one, or for an unknown one, that of the default website. */
export const timeZoneOfLocation = async (em: EntityManager, locationId: number | null | undefined): Promise<string> =>
  knownZone((await ofLocation.first(em, { locationId: locationId ?? null }))?.timeZone);

const ofLocation = sql('time-zone.ofLocation')`
  select coalesce(l.time_zone, w.time_zone) as time_zone from website w
  left join pos_location l on l.website_id = w.website_id and l.location_id = $locationId?
  where w.website_id > 0 order by l.location_id is null, w.is_default desc, w.website_id limit 1`;

/** Every time zone in which a day of the business begins and ends; UTC alone where there is no website. */
export async function timeZonesInUse(em: EntityManager): Promise<readonly [string, ...string[]]> {
  const [first = 'UTC', ...others] = new Set((await inUse.all(em)).map(({ timeZone }) => knownZone(timeZone)));
  return [first, ...others];
}

const inUse = sql('time-zone.inUse', { gives: { timeZone: definite(text) } })`
  select time_zone from website where website_id > 0
  union select time_zone from pos_location where time_zone is not null order by 1`;
