import { permissionsFault } from './permissions.ts';

/** The longest permissions text of a role: ten times the length of all keys. */
export const maxPermissionsLength = 20_000;

/** The permitted values of a role's fields (spec 2.6). Absent fields have no fault. */
export interface RoleFields {
  name?: string | undefined;
  /** A JSON text; missing keys mean denied. */
  permissions?: string | undefined;
}

/** @returns a sentence that says what is wrong, or undefined. */
export function roleFault({ name, permissions }: RoleFields): string | undefined {
  if (name !== undefined && !name.trim()) return 'a role needs a name';
  if (permissions === undefined) return undefined;
  return permissions.length > maxPermissionsLength ? 'The permissions are too long.' : permissionsFault(permissions);
}
