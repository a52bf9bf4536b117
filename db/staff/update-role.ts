import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { withoutLegacyGaps } from '../../domain/staff/legacy-permissions.ts';
import { roleFault } from '../../domain/staff/role-fault.ts';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { given } from '../support/given.ts';
import { transact } from '../support/transact.ts';
import { couldNotSaveRole } from './create-role.ts';
import { noSuchRole } from './staff.repository.ts';
import { Role } from './role.entity.ts';

/** The fields of a role that an administrator sends; an absent field keeps its value. */
export interface RoleWish {
  name?: string | undefined;
  permissions?: string | undefined;
  isActive?: boolean | undefined;
}

/**
 * Changes a role, with audit entries (spec 2.6, 4.3); its members have the new rights from their next validation. A
 * repeat changes nothing.
 *
 * Refused with: 404 unknown id · 400 `Could not save the role: %1`.
 */
export async function updateRole(
  em: EntityManager,
  { roleId, wish, by }: { roleId: number; wish: RoleWish; by?: Author },
): Promise<void> {
  const fault = roleFault(wish);
  if (fault) throw couldNotSaveRole(fault);
  const subject: Subject = { kind: 'role', id: roleId };
  await transact(em, async (tx) => {
    const role = await tx.findOne(Role, { roleId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!role) throw noSuchRole(roleId);
    const before = await factsOf(tx, subject);
    const permissions = wish.permissions === undefined ? undefined : withoutLegacyGaps(wish.permissions);
    tx.assign(role, given({ ...wish, name: wish.name?.trim(), permissions }));
    await tx.flush();
    await recordDifference(tx, { subject, before, by });
  });
}
