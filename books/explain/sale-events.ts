import type { ShownOption } from '../../domain/platform/catalog/option-figures.ts';
import { amountText, qtyText } from './amount-text.ts';
import { at, list } from './json-sql.ts';
import type { PaymentRow, ReceiptRow, SaleRows } from './sale-rows.ts';
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
export function saleEvents(rows: SaleRows): StoryEvent[] {
  const { order } = rows;
  const amount = (stored: string) => amountText(stored, order.currency);
  return [
    event({
      at: order.at,
      who: seller(rows.receipts),
      what: `Order ${order.incrementId} was placed: ${goods(rows)}.`,
      amount: amount(order.grandTotal),
    }),
    ...rows.receipts.map((receipt) =>
      event({ at: receipt.at, who: seller([receipt]), what: `Receipt ${receipt.receiptId} was stored.` }),
    ),
    ...rows.invoices.map((invoice) =>
      event({
        at: invoice.at,
        what: `Invoice ${invoice.incrementId} was made${invoiceNote(invoice.state)}.`,
        amount: amount(invoice.grandTotal),
      }),
    ),
    ...rows.payments.map((payment) =>
      event({ at: payment.at, what: paymentText(payment), amount: amount(payment.amount) }),
    ),
    ...rows.shipments.map((shipment) =>
      event({
        at: shipment.at,
        what: `${linesText(shipment.lines)} left source "${shipment.sourceCode}" (shipment ${shipment.incrementId}).`,
      }),
    ),
    ...rows.comments.map(({ at: moment, comment }) =>
      event({ at: moment, what: `The order's history says: "${comment}"` }),
    ),
  ];
}

/** `2 × MUG, 1 × PLATE` */
export const linesText = (lines: readonly { sku: string; qty: string }[]): string =>
  lines.length === 0 ? 'nothing' : lines.map(({ sku, qty }) => `${qtyText(qty)} × ${sku}`).join(', ');

/** `2 × Mug (MUG) with Text "Ann"` */
export const goods = ({ lines }: Pick<SaleRows, 'lines'>): string =>
  lines
    .map(({ name, sku, qtyOrdered, options }) => `${qtyText(qtyOrdered)} × ${name ?? sku} (${sku})${entered(options)}`)
    .join(', ') || 'no goods';

/** ` with Text "Ann"` */
const entered = (options: readonly ShownOption[]): string =>
  options.length === 0 ? '' : ` with ${options.map(({ label, value }) => `${label} "${value}"`).join(' and ')}`;

function seller(receipts: readonly ReceiptRow[]): string | null {
  const [receipt] = receipts;
  if (!receipt) return null;
  const parts = [receipt.staffName, receipt.terminalName, receipt.locationName].filter((name) => name !== null);
  return parts.join(', ') || null;
}

const invoiceNote = (state: number) => (state === 1 ? ', still open' : state === 3 ? ' and cancelled later' : '');

const paidBy: Record<string, string> = {
  placement: 'Paid with the order',
  invoice: 'Paid',
  layaway_capture: 'A layaway payment was taken',
  credit_due: 'A payment of credit that was due was taken',
  credit: 'Paid with credit',
};

const paymentText = ({ kind, method, reference }: PaymentRow) =>
  `${paidBy[kind] ?? kind}${method === null ? '' : ` (${method})`}${reference === null ? '' : `, reference ${reference}`}.`;
