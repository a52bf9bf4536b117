import { z } from 'zod';
import { searchHistory } from '../../db/store-credit/wallet.repository.ts';
import { route } from '../http/route.ts';
import { idParam, listAnswer } from '../wire/schemas.ts';
import { everything, renderList, searchCriteria } from '../wire/search-criteria.ts';
import { entryAnswer, renderEntry } from './render-entry.ts';

/**
 * A customer's ledger on every website, newest first, in the envelope of the platform's lists; `searchCriteria` may be
 * left out (spec 4.11; envelope and paging are our choice). Refused with: 404 unknown customer · 400 criteria that do not
 * fit.
 */
export const listHistory = route({
  method: 'GET',
  path: '/V1/vendor-store-credit/history/:customerId',
  acl: 'Vendor_StoreCredit::balance_view',
  summary: "A customer's store credit, entry by entry",
  params: z.object({ customerId: idParam }),
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(entryAnswer),

  async handle({ em, params, query }) {
    const { rows, totalCount } = await searchHistory(em, params.customerId, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderEntry), totalCount);
  },
});
