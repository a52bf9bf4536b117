import { roleNotDeleted, roleNotFound, roleNotSaved } from '../../domain/refusals/register.ts';
import { withoutLegacyGaps, roleFault } from '../../domain/staff.ts';
import { trailOf, type Author } from '../audit/record-difference.ts';
import { definedFields } from '../support/defined-fields.ts';
import { records, type Records } from '../support/records.ts';
import { searchFieldsOf } from '../support/fields.ts';
import { Role } from './staff.entity.ts';
import { endOpsSessionsOfRole } from './end-sessions.ts';

/** The fields of a role that an administrator sends; an absent field keeps its value, or gets that of a new role. */
export interface RoleDraft {
  name?: string | undefined;
  /** A JSON text; missing keys mean denied, except those that the legacy `configure_hardware` grants. */
  permissions?: string | undefined;
  isActive?: boolean | undefined;
}

const fields = searchFieldsOf(Role);

const saved = records<Role, RoleDraft, number, Author>({
  entity: Role,
  key: 'roleId',
  fields,
  unknown: (roleId) => roleNotFound([roleId]),
  // The foreign key decides, so a role that a member gets at the same moment stays.
  needed: () => roleNotDeleted(['somebody has it']),
  trail: trailOf('role'),

  check(_tx, draft, id) {
    const fault = roleFault(id === undefined ? { name: '', ...definedFields(draft) } : draft);
    if (fault) throw roleNotSaved([fault]);
  },

  write(tx, { name, permissions, isActive }, known) {
    const granted = permissions === undefined ? undefined : withoutLegacyGaps(permissions);
    const columns = definedFields({ name: name?.trim(), permissions: granted, isActive });
    return known ? tx.assign(known, columns) : tx.create(Role, { name: '', ...columns });
  },
});

/**
 * The roles of a shop, with their audit lines (spec 2.6, 4.3); members have new rights from their next validation. Each
 * creation adds a role.
 *
 * Refused with: 404 unknown id · 400 `Could not save the role: %1`; a deletion while a member has it.
 */
export const roles: Records<Role, RoleDraft, number, Author> = {
  ...saved,
  async save(em, save) {
    const role = await saved.save(em, save);
    if (save.draft.isActive === false) await endOpsSessionsOfRole(em, role.roleId);
    return role;
  },
};
