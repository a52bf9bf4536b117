import { z } from 'zod';
import { searchSources } from '../../../db/platform/inventory/search-inventory.ts';
import { route } from '../../support/route.ts';
import { listAnswer } from '../../support/schemas.ts';
import { everything, renderList, searchCriteria } from '../../support/search-criteria.ts';
import { renderSource, sourceAnswer } from './render-source.ts';

/** Places that hold goods; without criteria all of them (platform facts 3.1, 10). */
export const listSources = route({
  method: 'GET',
  path: '/V1/inventory/sources',
  acl: 'Platform_InventoryApi::source',
  summary: 'Search sources',
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(sourceAnswer),

  async handle({ em, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await searchSources(em, criteria);
    return renderList(criteria, rows.map(renderSource), totalCount);
  },
});
