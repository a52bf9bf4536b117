import { amountAt, quantityAt, rowsOf, shown, textAt, type Section } from './loose-json.ts';
import { receiptLimits } from './receipt-limits.ts';
import type { ReceiptModel } from './receipt-model.ts';
import type { ReceiptLine } from './receipt-view.ts';
import type { EnteredForLine, StoredItem } from './stored-receipt.ts';

/**
 * The lines of the document, or the stored ones where it has none. One without options has those that were entered for the
 * line of the order with its SKU.
 */
export function itemsOf(
  { root }: ReceiptModel,
  stored: readonly StoredItem[],
  entered: readonly EnteredForLine[] = [],
): ReceiptLine[] {
  const listed = rowsOf(root['items']);
  const lines = listed && listed.length > 0 ? listed.map(modelLine) : stored.map(storedLine);
  const left = [...entered];
  return lines.map((line) => {
    const at = left.findIndex(({ sku }) => sku === line.sku);
    if (line.options.length > 0 || at < 0) return line;
    return { ...line, options: left.splice(at, 1).flatMap(({ options }) => options) };
  });
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
