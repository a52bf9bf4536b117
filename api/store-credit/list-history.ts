import { z } from 'zod';
import { searchHistory } from '../../db/store-credit/wallet.repository.ts';
import { route } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';
import { idParam, listAnswer } from '../wire/schemas.ts';
import { everything, renderList, searchCriteria, unknownField } from '../wire/search-criteria.ts';
import { entryAnswer, renderEntry } from './render-entry.ts';

/**
 * A customer's ledger on every website, newest first, in the envelope of the platform's lists. `searchCriteria` is
 * optional (spec 4.11; envelope and paging are our choice).
 */
export const listHistory = route({
  method: 'GET',
  path: '/V1/vendor-store-credit/history/:customerId',
  acl: 'Vendor_StoreCredit::balance_view',
  summary: "A customer's store credit, entry by entry",
  name: 'listStoreCreditHistory',
  description: `Every entry of the customer’s wallets, newest first, on all websites. \`searchCriteria\` may be left
    out.`,
  outcomes: [unknownEntity('No customer has this id.'), unknownField],
  params: z.object({ customerId: idParam }),
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(entryAnswer),

  async handle({ em, params, query }) {
    const { rows, totalCount } = await searchHistory(em, params.customerId, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderEntry), totalCount);
  },
});
