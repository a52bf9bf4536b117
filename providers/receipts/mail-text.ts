import type { Beside } from '../../domain/beside.ts';
import type { PrintedReceipt } from './printed-receipt.ts';

/** A receipt as plain text for mail programs without HTML: one fact per line. */
export function mailText(
  printed: PrintedReceipt,
  around: { enclosure: string; pageUrl: string | null; beside: Beside },
): string {
  const { shop, words, layaway, fiscal } = printed;
  const { beside } = around;
  const row = (label: string, value: string) => beside([label, value], ': ');
  const rows = (list: readonly { label: string; value: string }[]) => list.map(({ label, value }) => row(label, value));
  const parts = [
    [
      shop.name,
      shop.locationName,
      ...shop.address,
      shop.phone,
      shop.vat && beside([words.vat, shop.vat]),
      ...shop.header,
    ],
    [printed.title, printed.amount, printed.moment],
    printed.items.flatMap((item) => [
      item.total === null ? item.name : row(item.name, item.total),
      item.quantity && `  ${item.quantity}`,
      ...item.options.map(({ label, value }) => `  ${row(label, value)}`),
      item.discount && `  ${row(words.discount, item.discount)}`,
    ]),
    [printed.moreItems && row(words.moreItems, printed.moreItems)],
    [...rows(printed.totals), ...rows(printed.total ? [printed.total] : []), printed.reverseCharge],
    layaway ? [layaway.title, ...rows(layaway.rows), layaway.paid] : [],
    [
      ...rows(printed.credits),
      ...printed.payments.flatMap((part) => [row(part.label, part.value), ...part.details.map((line) => `  ${line}`)]),
      ...rows(
        [printed.change, printed.refundMethod, printed.reason, printed.pointsEarned].filter((row) => row !== null),
      ),
    ],
    ...printed.shipments.map((shipment) => [
      shipment.title,
      ...shipment.lines,
      shipment.method,
      shipment.expected && row(words.expected, shipment.expected),
      ...shipment.items.map(({ name, quantity }) => (quantity === null ? name : beside([quantity, name], ' × '))),
    ]),
    fiscal ? [words.fiscal, ...rows(fiscal.lines)] : [],
    rows(printed.facts),
    shop.footer,
    [around.pageUrl && row(words.view, around.pageUrl), around.enclosure],
  ];
  return `${parts
    .map((lines) => lines.filter((line) => line !== null && line !== '').join('\n'))
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}
