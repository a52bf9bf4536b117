import { z } from 'zod';
import { findReceiptItems } from '../../db/receipts/receipt.repository.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route } from '../http/route.ts';
import { listAnswer } from '../wire/schemas.ts';
import { everything, renderList, searchCriteria, unknownField, tooManyRows } from '../wire/search-criteria.ts';
import { receiptAnswer, renderReceipt } from './render-receipt.ts';
import { searchReceipts } from '../../db/receipts/search-receipts.ts';

/** Receipts with their lines (spec 4.9). */
export const listReceipts = route({
  method: 'GET',
  path: '/V1/pos/receipts',
  acl: 'Vendor_Pos::receipts',
  summary: 'List receipts',
  name: 'listReceipts',
  description: `Filter by \`location_id\`, \`terminal_id\`, \`created_at\`, \`sale_type\`, \`order_increment_id\`,
    \`pos_order_id\` and \`receipt_id\`. An answer has at most 2,000 receipts: read more in pages.`,
  outcomes: [unknownField, tooManyRows],
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(receiptAnswer),
  isPrivate: true,

  async handle({ reader, query, settings }) {
    const { rows, totalCount } = await searchReceipts(reader, query.searchCriteria);
    const items = await findReceiptItems(
      reader,
      rows.map((row) => row.receipt_id),
    );
    const linesOf = Map.groupBy(items, (item) => item.receipt_id);
    const box = secretBoxOf(settings);
    return renderList(
      query.searchCriteria,
      rows.map((row) => renderReceipt(row, linesOf.get(row.receipt_id) ?? [], box)),
      totalCount,
    );
  },
});
