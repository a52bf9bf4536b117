import type { EntityManager } from '@mikro-orm/postgresql';
import type { Facts } from '../../domain/audit/changed-fields.ts';
import { invalid } from '../../domain/errors.ts';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { isStillNeeded } from '../support/is-still-needed.ts';
import { transact } from '../support/transact.ts';
import { noSuchLocation } from './location.repository.ts';

/**
 * Deletes a location (spec 4.2). Its terminals stay and are at no location until somebody says so; nobody works there
 * any more; receipts and returns keep its number. A repeat finds nothing.
 *
 * Refused with: 404 unknown id · 400 `Could not delete the location: %1`, while something must not lose it.
 */
export async function deleteLocation(
  em: EntityManager,
  { locationId, by }: { locationId: number; by?: Author },
): Promise<void> {
  try {
    await transact(em, async (tx) => {
      const subject = { kind: 'location', id: locationId } as const;
      const before = await factsOf(tx, subject);
      const terminals = await tx.execute<{ terminal_id: number }[]>(
        'select terminal_id from pos_terminal where location_id = ? order by terminal_id for update',
        [locationId],
      );
      const told: { subject: Subject; before: Facts }[] = [{ subject, before }];
      for (const { terminal_id: id } of terminals)
        told.push({ subject: { kind: 'terminal', id }, before: await factsOf(tx, { kind: 'terminal', id }) });
      const gone = await tx.execute<{ location_id: number }[]>(
        'delete from pos_location where location_id = ? returning location_id',
        [locationId],
      );
      if (gone.length === 0) throw noSuchLocation(locationId);
      for (const change of told) await recordDifference(tx, { ...change, by });
    });
  } catch (error) {
    if (isStillNeeded(error)) throw couldNotDelete('something is still kept there');
    throw error;
  }
}

const couldNotDelete = (why: string) => invalid('Could not delete the location: %1', [why]);
