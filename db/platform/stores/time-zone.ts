import type { EntityManager } from '@mikro-orm/postgresql';
import { isTimeZone } from '../../../domain/local-day.ts';
import { integer } from '../../support/entity-columns.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Website } from './store.entity.ts';

/** A zone as stored, or UTC where it is not known here. */
export const knownZone = (zone: string | null | undefined): string => (zone && isTimeZone(zone) ? zone : 'UTC');

/** The time zone in which a website's days begin and end. */
export const timeZoneOfWebsite = async (em: EntityManager, websiteId: number): Promise<string> =>
  knownZone((await ofWebsite.first(em, { websiteId }))?.timeZone);

const ofWebsite = statement({
  takes: { websiteId: integer },
  gives: of(Website, 'timeZone'),
  text: 'select time_zone from website where website_id = $websiteId',
});

/** The same for the website of a store view. */
export const timeZoneOfStore = async (em: EntityManager, storeId: number): Promise<string> =>
  knownZone((await ofStore.first(em, { storeId }))?.timeZone);

const ofStore = statement({
  takes: { storeId: integer },
  gives: of(Website, 'timeZone'),
  text: `
    select w.time_zone from store_view s join website w on w.website_id = s.website_id where s.store_id = $storeId`,
});
