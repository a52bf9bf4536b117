import { subtract } from '../../domain/money/amount.ts';
import { pieces } from '../../domain/money/quantity.ts';
import type { ReceiptLine, ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { asSubtracted, type ReceiptWriter } from './receipt-writer.ts';

export const printedItems = ({ items }: ReceiptView, pen: ReceiptWriter) => items.map((item) => printedItem(item, pen));

function printedItem(item: ReceiptLine, { formats: { count, money }, beside }: ReceiptWriter) {
  const isPlain = item.qty === null || item.qty === pieces(1);
  const each = item.price === null ? null : money(item.price);
  const was = item.basePrice !== null && item.price !== null && subtract(item.basePrice, item.price) > 0;
  return {
    name: item.name,
    sku: item.sku === item.name ? null : item.sku,
    quantity:
      isPlain || item.qty === null ? null : each === null ? count(item.qty) : beside([count(item.qty), each], ' × '),
    was: was && item.basePrice !== null ? money(item.basePrice) : null,
    discount: item.discount === null || item.discount === 0 ? null : money(asSubtracted(item.discount)),
    total: item.rowTotal === null ? each : money(item.rowTotal),
    options: item.options,
  };
}

export const printedShipments = ({ shipments }: ReceiptView, { formats, words }: ReceiptWriter) =>
  shipments.map(({ kind, lines, country, method, expectedAt, items }) => ({
    title: kind === 'ship_to' ? words.shipTo : words.backorder,
    lines: country === null ? lines : [...lines, formats.country(country)],
    method,
    expected: expectedAt === null ? null : formats.day(expectedAt),
    items: items.map(({ name, qty }) => ({ name, quantity: qty === null ? null : formats.count(qty) })),
  }));
