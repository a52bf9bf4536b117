import type { LocationRow } from '../../db/locations/location.repository.ts';
import type { SearchField, SearchType } from '../../db/support/search-field.ts';
import { search, type Searchable } from '../../db/support/search.ts';
import { listRoute } from '../http/list-route.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { unknownField } from '../wire/search-criteria.ts';

/** A column whose answer key equals its name. */
const of =
  (type: SearchType, isNullable: boolean) =>
  (...columns: readonly (keyof LocationRow)[]): Record<string, SearchField> =>
    Object.fromEntries(columns.map((column) => [column, { column, type, isNullable }]));

/** Every column of the answer can be searched; few shops have many locations. */
const locations: Searchable = {
  table: 'pos_location',
  columns: '*',
  fields: {
    ...of('integer', false)('location_id', 'website_id'),
    ...of('text', false)('name', 'code'),
    ...of('boolean', false)('is_active', 'tax_use_address', 'address_use_storeview'),
    ...of('timestamp', false)('created_at', 'updated_at'),
    ...of('text', true)('street', 'city', 'region', 'postcode', 'country_id', 'phone', 'vat_number'),
    ...of('text', true)('source_code', 'damaged_stock_source_code', 'payment_methods', 'card_payment_provider'),
    ...of('text', true)('receipt_header', 'receipt_footer', 'receipt_store_info_placement', 'staff_name_format'),
    ...of('text', true)('pickup_completed_status_code', 'customer_validators'),
    ...of('integer', true)('region_id', 'store_view_id', 'allow_store_credit', 'low_stock_threshold'),
    ...of('integer', true)('receipt_logo_size', 'layaway_expiry_days'),
    ...of('decimal', true)('layaway_deposit_min_percent', 'layaway_cancellation_fee_percent'),
    ...of('boolean', true)('use_msi', 'receipt_show_staff_name', 'receipt_show_order_number'),
  },
  order: 'location_id',
};

/** The shop's locations (spec 4.2). Without criteria all of them. */
export const listLocations = listRoute({
  path: '/V1/pos/locations',
  acl: 'Vendor_Pos::locations',
  summary: 'List locations',
  name: 'listLocations',
  description: `Without criteria every location. Only the route of one location shows \`config_overrides\`, and only
    to callers that may manage locations. It cannot be searched.`,
  outcomes: [unknownField],
  answer: locationAnswer,
  isWholeByDefault: true,
  find: (em, criteria) => search<LocationRow>(em, criteria, locations),
  render: (row) => renderLocation(row),
});
