import { staffColumns, type StaffRow } from '../../db/staff/staff.repository.ts';
import { search, type Searchable } from '../../db/support/search.ts';
import { listRoute } from '../http/list-route.ts';
import { renderStaff, staffAnswer } from '../wire/register/render-staff.ts';
import { unknownField } from '../wire/search-criteria.ts';

/** The passcode and its hash are not searchable: filters could reveal them letter by letter. */
const staff: Searchable = {
  table: 'pos_staff s',
  columns: staffColumns,
  fields: {
    staff_id: { column: 's.staff_id', type: 'integer' },
    staff_code: { column: 's.staff_code', type: 'code' },
    first_name: { column: 's.first_name', type: 'text' },
    last_name: { column: 's.last_name', type: 'text' },
    email: { column: 's.email', type: 'text' },
    passcode_updated_at: { column: 's.passcode_updated_at', type: 'timestamp' },
    role_id: { column: 's.role_id', type: 'integer' },
    all_locations: { column: 's.all_locations', type: 'boolean' },
    is_active: { column: 's.is_active', type: 'boolean' },
    created_at: { column: 's.created_at', type: 'timestamp' },
    updated_at: { column: 's.updated_at', type: 'timestamp' },
  },
  order: 's.staff_id',
};

/** The shop's staff, active or not (spec 4.3). Without criteria all of them. */
export const listStaff = listRoute({
  path: '/V1/pos/staff',
  acl: 'Vendor_Pos::staff_manage',
  summary: 'List staff',
  name: 'listStaff',
  description: 'Without criteria everybody, active or not. Passcodes are never answered and cannot be searched.',
  outcomes: [unknownField],
  answer: staffAnswer,
  isWholeByDefault: true,
  find: (em, criteria) => search<StaffRow>(em, criteria, staff),
  render: renderStaff,
});
