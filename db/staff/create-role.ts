import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { permissionsFault } from '../../domain/staff/permissions.ts';
import { transact } from '../support/transact.ts';
import { Role } from './role.entity.ts';

/** What a role's permissions take at most: ten times what all keys do. */
const maxPermissionsLength = 20_000;

/**
 * Adds a role (spec 2.6). One more on each call.
 *
 * Refused with: 400 `Could not save the role: %1`, for permissions that are no JSON object of known keys and booleans.
 *
 * @param permissions a JSON text; missing keys mean denied
 * @returns the role's id
 */
export async function createRole(
  em: EntityManager,
  { name, permissions, isActive = true }: { name: string; permissions: string; isActive?: boolean },
): Promise<number> {
  if (!name.trim()) throw couldNotSave('a role needs a name');
  const fault =
    permissions.length > maxPermissionsLength ? 'The permissions are too long.' : permissionsFault(permissions);
  if (fault) throw couldNotSave(fault);
  return transact(em, async (tx) => {
    const role = tx.create(Role, { name: name.trim(), permissions, isActive });
    await tx.flush();
    return role.roleId;
  });
}

const couldNotSave = (why: string) => invalid('Could not save the role: %1', [why]);
