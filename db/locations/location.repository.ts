import type { EntityManager } from '@mikro-orm/postgresql';
import { locationNotFound } from '../../domain/refusals/register.ts';
import { allListed } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { Location } from './location.entity.ts';

/** A location as stored; percentages are decimal text, times are text. */
export type LocationRow = RowFrom<typeof byId>;

const allOfLocation = allListed(Location, 'l');

const byId = sql('location.repository.byId', { gives: allOfLocation.gives })`
  select ${allOfLocation.columns} from pos_location l where l.location_id = $locationId`;

/**
 * One location for the configuration of a register, which is read on the hot path, and in the transaction of a return.
 * Refused with: 404 unknown id.
 */
export async function findLocation(em: EntityManager, locationId: number): Promise<LocationRow> {
  const row = await byId.first(em, { locationId });
  if (!row) throw noSuchLocation(locationId);
  return row;
}

export const noSuchLocation = (locationId: number) => locationNotFound([locationId]);
