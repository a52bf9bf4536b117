import { permissionsFault } from './permissions.ts';

/** What a role's permissions take at most: ten times what all keys do. */
export const maxPermissionsLength = 20_000;

/** What a role's fields must be (spec 2.6). Absent fields have no fault. */
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
