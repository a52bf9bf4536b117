import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { withoutLegacyGaps } from '../../domain/staff/legacy-permissions.ts';
import { roleFault } from '../../domain/staff/role-fault.ts';
import { recordDifference, type Author } from '../audit/record-difference.ts';
import { transact } from '../support/transact.ts';
import { Role } from './role.entity.ts';

/**
 * Adds a role, with its audit entries where an author is given (spec 2.6). Each call adds a role.
 *
 * Refused with: 400 `Could not save the role: %1`, for permissions that are not a JSON object of known keys and
 * booleans.
 *
 * @param permissions a JSON text; missing keys mean denied, except those that the legacy `configure_hardware` grants
 * @returns the role's id
 */
export async function createRole(
  em: EntityManager,
  { name, permissions, isActive = true }: { name: string; permissions: string; isActive?: boolean },
  by?: Author,
): Promise<number> {
  const fault = roleFault({ name, permissions });
  if (fault) throw couldNotSaveRole(fault);
  return transact(em, async (tx) => {
    const role = tx.create(Role, { name: name.trim(), permissions: withoutLegacyGaps(permissions), isActive });
    await tx.flush();
    await recordDifference(tx, { subject: { kind: 'role', id: role.roleId }, before: {}, by });
    return role.roleId;
  });
}

export const couldNotSaveRole = (why: string) => invalid('Could not save the role: %1', [why]);
