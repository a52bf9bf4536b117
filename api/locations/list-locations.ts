import type { LocationRow } from '../../db/locations/location.repository.ts';
import { search, type Searchable } from '../../db/support/search.ts';
import { listRoute } from '../support/list-route.ts';
import { locationAnswer, renderLocation } from '../support/register/render-location.ts';

const locations: Searchable = {
  table: 'pos_location',
  columns: '*',
  fields: {
    location_id: { column: 'location_id', type: 'integer' },
    name: { column: 'name', type: 'text' },
    code: { column: 'code', type: 'text' },
    website_id: { column: 'website_id', type: 'integer' },
    source_code: { column: 'source_code', type: 'text', isNullable: true },
    is_active: { column: 'is_active', type: 'boolean' },
    created_at: { column: 'created_at', type: 'timestamp' },
    updated_at: { column: 'updated_at', type: 'timestamp' },
  },
  order: 'location_id',
};

/** The shop's locations (spec 4.2). Without criteria all of them. */
export const listLocations = listRoute({
  path: '/V1/pos/locations',
  acl: 'Vendor_Pos::locations',
  summary: 'List locations',
  answer: locationAnswer,
  isWholeByDefault: true,
  find: (em, criteria) => search<LocationRow>(em, criteria, locations),
  render: renderLocation,
});
