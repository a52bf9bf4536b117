import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIntegers } from '../support/columns.ts';
import { countColumns, countIndex } from '../support/count-columns.ts';
import { receiptList } from '../support/counted-list.ts';

/** How many receipts there are of a kind in a month, a day or an hour. Kept by `countGrowing`. */
export const ReceiptCount = defineEntity({
  name: 'ReceiptCount',
  tableName: 'pos_receipt_count',
  properties: {
    ...countColumns,
    ...optionalIntegers('terminalId', 'locationId'),
    saleType: p.text().nullable(),
  },
  indexes: [countIndex(receiptList)],
});

export type ReceiptCount = InferEntity<typeof ReceiptCount>;
