import { amountAt, quantityAt, rowsOf, shown, textAt, type Section } from './loose-json.ts';
import { receiptLimits } from './receipt-limits.ts';
import type { ReceiptModel } from './receipt-model.ts';
import type { ReceiptLine } from './receipt-view.ts';
import type { StoredItem } from './stored-receipt.ts';

/** The lines of the document, or the stored ones where it has none. */
export function itemsOf({ root }: ReceiptModel, stored: readonly StoredItem[]): ReceiptLine[] {
  const listed = rowsOf(root['items']);
  return listed && listed.length > 0 ? listed.map(modelLine) : stored.map(storedLine);
}

const modelLine = (item: Section): ReceiptLine => ({
  name: textAt(item, 'name', 'sku') ?? '–',
  sku: textAt(item, 'sku'),
  qty: quantityAt(item, 'qty', 'quantity'),
  price: amountAt(item, 'price', 'unit_price'),
  rowTotal: amountAt(item, 'row_total', 'total'),
  discount: amountAt(item, 'discount_amount'),
  basePrice: amountAt(item, 'base_unit_price'),
  fulfillment: textAt(item, 'fulfillment_mode'),
  options: (rowsOf(item['options'], receiptLimits.options) ?? []).flatMap((option) => {
    const [label, value] = [textAt(option, 'label', 'name'), textAt(option, 'value')];
    return value === null ? [] : [{ label: label ?? '', value }];
  }),
});

const storedLine = (item: StoredItem): ReceiptLine => ({
  name: shown(item.name) ?? shown(item.sku) ?? '–',
  sku: shown(item.sku),
  qty: item.qty,
  price: item.price,
  rowTotal: item.rowTotal,
  discount: item.discountAmount,
  basePrice: item.baseUnitPrice,
  fulfillment: item.fulfillmentMode,
  options: [],
});
