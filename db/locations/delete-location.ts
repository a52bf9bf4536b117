import type { EntityManager } from '@mikro-orm/postgresql';
import type { Facts } from '../../domain/audit/changed-fields.ts';
import { invalid } from '../../domain/errors.ts';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { isStillNeeded } from '../support/is-still-needed.ts';
import { count, integer, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { noSuchLocation } from './location.repository.ts';

/**
 * Deletes a location (spec 4.2). Its terminals stay without a location, its staff assignments end, and receipts and
 * returns keep its number. A repeat finds nothing.
 *
 * Refused with: 404 unknown id · 400 `Could not delete the location: %1`, while carts are parked there: no other
 * location lists them, and customers wait for them.
 */
export async function deleteLocation(
  em: EntityManager,
  { locationId, by }: { locationId: number; by?: Author },
): Promise<void> {
  try {
    await transact(em, async (tx) => {
      const subject = { kind: 'location', id: locationId } as const;
      const before = await factsOf(tx, subject);
      const terminals = await lockTerminals.all(tx, { locationId });
      const changes: { subject: Subject; before: Facts }[] = [{ subject, before }];
      for (const { terminalId: id } of terminals)
        changes.push({ subject: { kind: 'terminal', id }, before: await factsOf(tx, { kind: 'terminal', id }) });
      if ((await deleteOne.run(tx, { locationId })) === 0) throw noSuchLocation(locationId);
      for (const change of changes) await recordDifference(tx, { ...change, by });
    });
  } catch (error) {
    if (isStillNeeded(error)) throw couldNotDelete(await usesOfLocation(em, locationId));
    throw error;
  }
}

const lockTerminals = statement({
  takes: { locationId: integer },
  gives: { terminalId: integer },
  text: `
    select terminal_id from pos_terminal where location_id = $locationId order by terminal_id for update`,
});

const deleteOne = statement({
  takes: { locationId: integer },
  text: 'delete from pos_location where location_id = $locationId',
});

const countCarts = statement({
  takes: { locationId: integer },
  gives: { carts: surely(count) },
  text: 'select count(*) as carts from pos_held_cart where location_id = $locationId',
});

async function usesOfLocation(em: EntityManager, locationId: number): Promise<string> {
  const { carts } = (await countCarts.first(em, { locationId })) ?? { carts: 0 };
  return carts === 0
    ? 'something is still kept there'
    : `carts are parked there (${carts}); recall or delete them first`;
}

const couldNotDelete = (why: string) => invalid('Could not delete the location: %1', [why]);
