import type { EntityManager } from '@mikro-orm/postgresql';
import type { Author } from '../audit/record-difference.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { noSuchLocation } from '../locations/location.repository.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { endSessionsAtLocation } from './end-sessions.ts';
import { noSuchStaff } from './read-staff.ts';

interface Assignment {
  staffId: number;
  locationId: number;
  by: Author;
}

/**
 * Assigns a member of staff to a location, with an audit entry (spec 4.3). A repeat changes nothing.
 *
 * Refused with: 404 unknown member or location.
 */
export async function assignStaff(em: EntityManager, { staffId, locationId, by }: Assignment): Promise<void> {
  await transact(em, async (tx) => {
    const name = await lockMember(tx, staffId);
    const locationName = await keepLocation(tx, locationId);
    if ((await assign.run(tx, { staffId, locationId })) > 0)
      await record(tx, { staffId, name, newValue: String(locationId), locationId, locationName, by });
  });
}

/**
 * Removes a member of staff from a location, with an audit entry (spec 4.3), and ends the sessions at its registers. A
 * repeat, or a member who was not assigned, changes nothing.
 *
 * Refused with: 404 unknown member.
 */
export async function unassignStaff(em: EntityManager, { staffId, locationId, by }: Assignment): Promise<void> {
  await transact(em, async (tx) => {
    const name = await lockMember(tx, staffId);
    const gone = await unassign.first(tx, { staffId, locationId });
    if (!gone) return;
    await endSessionsAtLocation(tx, { staffId, locationId });
    await record(tx, {
      staffId,
      name,
      oldValue: String(locationId),
      locationId,
      locationName: gone.name ?? undefined,
      by,
    });
  });
}

const assign = sql('assign-staff.assign')`
  insert into pos_staff_location (staff_id, location_id) values ($staffId, $locationId) on conflict do nothing`;

const unassign = sql('assign-staff.unassign')`
  delete from pos_staff_location a where a.staff_id = $staffId and a.location_id = $locationId
  returning (select l.name from pos_location l where l.location_id = a.location_id)`;

async function lockMember(em: EntityManager, staffId: number): Promise<string> {
  const member = await lock.first(em, { staffId });
  if (!member) throw noSuchStaff(staffId);
  return member.name;
}

const lock = sql('assign-staff.lock')`
  select concat_ws(' ', first_name, last_name) as name from pos_staff where staff_id = $staffId for update`;

/** The location's name; locked against deletion until the transaction ends. */
async function keepLocation(em: EntityManager, locationId: number): Promise<string> {
  const location = await keep.first(em, { locationId });
  if (!location) throw noSuchLocation(locationId);
  return location.name;
}

const keep = sql('assign-staff.keep')`select name from pos_location where location_id = $locationId for key share`;

interface Line {
  staffId: number;
  name: string;
  oldValue?: string;
  newValue?: string;
  locationId: number;
  locationName: string | undefined;
  by: Author;
}

const record = (em: EntityManager, { staffId, name, by, ...line }: Line) =>
  recordAudit(em, {
    entityType: 'staff',
    entityId: staffId,
    entityName: name,
    fieldName: 'location_id',
    ...line,
    ...by,
  });
