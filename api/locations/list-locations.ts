import { z } from 'zod';
import type { LocationRow } from '../../db/locations/location.repository.ts';
import { search, type Searchable } from '../../db/support/search.ts';
import { locationAnswer, renderLocation } from '../support/register/render-location.ts';
import { route } from '../support/route.ts';
import { listAnswer } from '../support/schemas.ts';
import { everything, renderList, searchCriteria } from '../support/search-criteria.ts';

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
export const listLocations = route({
  method: 'GET',
  path: '/V1/pos/locations',
  acl: 'Vendor_Pos::locations',
  summary: 'List locations',
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(locationAnswer),

  async handle({ em, query }) {
    const { rows, totalCount } = await search<LocationRow>(em, query.searchCriteria, locations);
    return renderList(query.searchCriteria, rows.map(renderLocation), totalCount);
  },
});
