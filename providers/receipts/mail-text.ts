import type { PrintedReceipt } from './printed-receipt.ts';

/** A receipt as plain text for mail programs without HTML: one fact per line. */
export function mailText(printed: PrintedReceipt, around: { enclosure: string; pageUrl: string | null }): string {
  const { shop, words, layaway, fiscal } = printed;
  const rows = (list: readonly { label: string; value: string }[]) =>
    list.map(({ label, value }) => `${label}: ${value}`);
  const parts = [
    [shop.name, shop.locationName, ...shop.address, shop.phone, shop.vat && `${words.vat} ${shop.vat}`, ...shop.header],
    [printed.title, printed.amount, printed.moment],
    printed.items.flatMap((item) => [
      `${item.name}${item.total === null ? '' : `: ${item.total}`}`,
      item.quantity && `  ${item.quantity}`,
      ...item.options.map(({ label, value }) => `  ${label}: ${value}`),
      item.discount && `  ${words.discount}: ${item.discount}`,
    ]),
    [printed.moreItems && `${words.moreItems}: ${printed.moreItems}`],
    [...rows(printed.totals), ...rows(printed.total ? [printed.total] : []), printed.reverseCharge],
    layaway ? [layaway.title, ...rows(layaway.rows), layaway.paid] : [],
    [
      ...rows(printed.credits),
      ...printed.payments.flatMap((part) => [
        `${part.label}: ${part.value}`,
        ...part.details.map((line) => `  ${line}`),
      ]),
      ...rows(
        [printed.change, printed.refundMethod, printed.reason, printed.pointsEarned].filter((row) => row !== null),
      ),
    ],
    ...printed.shipments.map((shipment) => [
      shipment.title,
      ...shipment.lines,
      shipment.method,
      shipment.expected && `${words.expected}: ${shipment.expected}`,
      ...shipment.items.map(({ name, quantity }) => (quantity === null ? name : `${quantity} × ${name}`)),
    ]),
    fiscal ? [words.fiscal, ...rows(fiscal.lines)] : [],
    rows(printed.facts),
    shop.footer,
    [around.pageUrl && `${words.view}: ${around.pageUrl}`, around.enclosure],
  ];
  return `${parts
    .map((lines) => lines.filter((line) => line !== null && line !== '').join('\n'))
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}
