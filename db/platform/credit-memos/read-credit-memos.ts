import { createDocumentReader } from '../orders/document-reader.ts';
import { creditMemoFields } from './credit-memo-fields.ts';

/** Reads credit memos. See `DocumentReader`. */
export const { read: readCreditMemo, search: searchCreditMemos } = createDocumentReader({
  table: 'sales_creditmemo',
  alias: 'm',
  document: 'creditmemo',
  fields: creditMemoFields,
});
