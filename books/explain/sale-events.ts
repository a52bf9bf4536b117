import type { ShownOption } from '../../domain/platform/catalog/option-figures.ts';
import { at, list } from './json-sql.ts';
import type { ReceiptRow, SaleTold } from './sale-rows.ts';
import { event, type StoryEvent } from './story.ts';

/** The shipments of an order `o`, as JSON. */
export const shipmentRows = list(
  {
    incrementId: 's.increment_id',
    sourceCode: 's.source_code',
    lines: list(
      { sku: 'sku', qty: 'qty::text' },
      'from sales_shipment_item where parent_id = s.entity_id',
      'entity_id',
    ),
    at: at('s.created_at'),
  },
  'from sales_shipment s where s.order_id = o.entity_id',
  's.entity_id',
);

/** The sale itself: ordered, paid, invoiced, shipped, and the other comments of its history. */
export function saleEvents(rows: SaleTold): StoryEvent[] {
  const { order, w } = rows;
  const amount = (stored: string) => w.amount(stored, order.currency);
  return [
    event({
      at: order.at,
      who: seller(rows.receipts),
      what: w.orderPlaced(order.incrementId, goods(rows)),
      amount: amount(order.grandTotal),
    }),
    ...rows.receipts.map((receipt) =>
      event({ at: receipt.at, who: seller([receipt]), what: w.receiptStored(receipt.receiptId) }),
    ),
    ...rows.invoices.map((invoice) =>
      event({
        at: invoice.at,
        what: w.invoiceMade(invoice.incrementId, invoiceState(invoice.state)),
        amount: amount(invoice.grandTotal),
      }),
    ),
    ...rows.payments.map((payment) =>
      event({
        at: payment.at,
        what: w.paid(payment.kind, payment.method, payment.reference),
        amount: amount(payment.amount),
      }),
    ),
    ...rows.shipments.map((shipment) =>
      event({
        at: shipment.at,
        what: w.shipped(linesText(shipment.lines, w), shipment.sourceCode, shipment.incrementId),
      }),
    ),
    ...rows.comments.map(({ at: moment, comment }) => event({ at: moment, what: w.historySays(comment) })),
  ];
}

/** `2 × MUG, 1 × PLATE` */
export const linesText = (lines: readonly { sku: string; qty: string }[], w: SaleTold['w']): string =>
  lines.length === 0 ? w.nothing : lines.map(({ sku, qty }) => `${w.qty(qty)} × ${sku}`).join(', ');

/** `2 × Mug (MUG) with Text "Ann"` */
export const goods = ({ lines, w }: Pick<SaleTold, 'lines' | 'w'>): string =>
  lines
    .map(({ name, sku, qtyOrdered, options }) => `${w.qty(qtyOrdered)} × ${name ?? sku} (${sku})${entered(options, w)}`)
    .join(', ') || w.noGoods;

/** ` with Text "Ann"` */
const entered = (options: readonly ShownOption[], w: SaleTold['w']): string =>
  options.length === 0 ? '' : w.withOptions(options.map(({ label, value }) => `${label} "${value}"`));

function seller(receipts: readonly ReceiptRow[]): string | null {
  const [receipt] = receipts;
  if (!receipt) return null;
  const parts = [receipt.staffName, receipt.terminalName, receipt.locationName].filter((name) => name !== null);
  return parts.join(', ') || null;
}

const invoiceState = (state: number) => (state === 1 ? 'open' : state === 3 ? 'cancelled' : 'paid');
