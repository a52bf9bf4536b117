import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { noLocationWithCode } from '../../domain/refusals/register.ts';
import { searchFieldsOf } from '../support/fields.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { listedOf } from '../support/rows.ts';
import { searchesRecords } from '../support/search-records.ts';
import type { Found } from '../support/search.ts';
import { Location } from './location.entity.ts';
import { noSuchLocation, type LocationRow } from './location.repository.ts';

/** One location. Refused with: 404 unknown id. */
export const readLocation = (em: EntityManager, locationId: number): Promise<LocationRow> =>
  readOne(em, { locationId }, () => noSuchLocation(locationId));

/** One location by its code. Refused with: 404 unknown code. */
export const findLocationByCode = (em: EntityManager, code: string): Promise<LocationRow> =>
  readOne(em, { code }, () => noLocationWithCode([code]));

async function readOne(em: EntityManager, where: FilterQuery<Location>, refusal: () => Error): Promise<LocationRow> {
  const found = await freshReads(em).findOne(Location, where);
  if (!found) throw refusal();
  return listedOf(Location, found);
}

/** Every column can be searched but the overrides. */
export const locationFields = searchFieldsOf(Location, { without: ['configOverrides'] });

const found = searchesRecords({ entity: Location, fields: locationFields, order: 'location_id' });

/** Searches locations (platform facts 3). */
export async function searchLocations(em: EntityManager, criteria: SearchCriteria): Promise<Found<LocationRow>> {
  const { rows, totalCount } = await found(em, criteria);
  return { rows: rows.map((location) => listedOf(Location, location)), totalCount };
}
