import type { EntityManager } from '@mikro-orm/postgresql';
import type { Facts } from '../../domain/audit.ts';
import { locationNotDeleted } from '../../domain/refusals/register.ts';
import { openStatuses } from '../../domain/returns/return-status.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { isStillNeeded } from '../support/records.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { noSuchLocation } from './location.repository.ts';

/**
 * Deletes a location (spec 4.2). Its terminals stay without a location and its staff assignments end, with an audit
 * line each; receipts and closed returns keep its number. A repeat finds nothing.
 *
 * Refused with: 404 unknown id · 400 `Could not delete the location: %1`, while carts are parked there or returns are
 * open: no other location lists them, customers wait for them, and their goods go where the location says.
 */
export async function deleteLocation(
  em: EntityManager,
  { locationId, by }: { locationId: number; by?: Author },
): Promise<void> {
  try {
    await transact(em, async (tx) => {
      const subject = { kind: 'location', id: locationId } as const;
      const before = await factsOf(tx, subject);
      const uses = await usesOfLocation(tx, locationId);
      if (uses.returns > 0) throw couldNotDelete(uses);
      const terminals = await lockTerminals.all(tx, { locationId });
      const changes: { subject: Subject; before: Facts }[] = [{ subject, before }];
      for (const { terminalId: id } of terminals)
        changes.push({ subject: { kind: 'terminal', id }, before: await factsOf(tx, { kind: 'terminal', id }) });
      const staff = await endAssignments.all(tx, { locationId });
      if ((await deleteOne.run(tx, { locationId })) === 0) throw noSuchLocation(locationId);
      for (const change of changes) await recordDifference(tx, { ...change, by });
      if (by) for (const member of staff) await recordAudit(tx, { ...lineOf(member, locationId), ...by });
    });
  } catch (error) {
    if (isStillNeeded(error)) throw couldNotDelete(await usesOfLocation(em, locationId));
    throw error;
  }
}

const lockTerminals = sql('delete-location.lockTerminals')`
  select terminal_id from pos_terminal where location_id = $locationId order by terminal_id for update`;

const endAssignments = sql('delete-location.endAssignments')`
  delete from pos_staff_location a using pos_staff s, pos_location l
  where a.location_id = $locationId and s.staff_id = a.staff_id and l.location_id = a.location_id
  returning s.staff_id, concat_ws(' ', s.first_name, s.last_name) as name, l.name as location_name`;

const lineOf = (
  { staffId, name, locationName }: { staffId: number; name: string; locationName: string },
  locationId: number,
) => ({
  ...{ entityType: 'staff', entityId: staffId, entityName: name, fieldName: 'location_id' },
  ...{ oldValue: String(locationId), locationId, locationName },
});

const deleteOne = sql('delete-location.deleteOne')`delete from pos_location where location_id = $locationId`;

interface Uses {
  carts: number;
  returns: number;
  terminals: number;
  staff: number;
}

const countUses = sql('delete-location.countUses')`
  select (select count(*) from pos_held_cart where location_id = $locationId) as carts,
    (select count(*) from sale_return where location_id = $locationId and status = any($openStatuses)) as returns,
    (select count(*) from pos_terminal where location_id = $locationId) as terminals,
    (select count(*) from pos_staff_location where location_id = $locationId) as staff`;

const usesOfLocation = async (em: EntityManager, locationId: number): Promise<Uses> =>
  (await countUses.first(em, { locationId, openStatuses: [...openStatuses] })) ?? noUses;

const noUses: Uses = { carts: 0, returns: 0, terminals: 0, staff: 0 };

/** Says what keeps the location, and who else would lose a place. */
function couldNotDelete({ carts, returns, terminals, staff }: Uses) {
  const keeps = [
    ...(carts > 0 ? [`carts are parked there (${carts}); recall or delete them first`] : []),
    ...(returns > 0 ? [`returns are open there (${returns}); settle or close them first`] : []),
  ];
  const others = [
    ...(terminals > 0 ? [`terminals (${terminals})`] : []),
    ...(staff > 0 ? [`members of staff (${staff})`] : []),
  ];
  const why = keeps.length === 0 ? ['something is still kept there'] : keeps;
  const beside = others.length === 0 ? [] : [`Also there: ${others.join(', ')}`];
  return locationNotDeleted([[...why, ...beside].join('. ')]);
}
