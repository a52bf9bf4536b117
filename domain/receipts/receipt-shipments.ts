import { isSection, momentAt, quantityAt, rowsOf, shown, textAt, type Section } from './loose-json.ts';
import { receiptLimits } from './receipt-limits.ts';
import type { ReceiptModel } from './receipt-model.ts';
import type { ReceiptShipment } from './receipt-view.ts';
import type { StoredReceipt } from './stored-receipt.ts';

const { shipments: most, shippedItems, addressLines } = receiptLimits;

/** Shipments of the sale: goods sent to an address, and goods sent later when they arrive. */
export const shipmentsOf = ({ root }: ReceiptModel, receipt: StoredReceipt): ReceiptShipment[] => [
  ...(rowsOf(root['ship_to_shipments'], most) ?? rowsOf(receipt.shipToShipments, most) ?? []).map(
    shipmentAs('ship_to'),
  ),
  ...(rowsOf(root['backorder_shipments'], most) ?? rowsOf(receipt.backorderShipments, most) ?? []).map(
    shipmentAs('backorder'),
  ),
];

const shipmentAs =
  (kind: ReceiptShipment['kind']) =>
  (shipment: Section): ReceiptShipment => ({
    kind,
    ...addressOf(shipment),
    method: textAt(shipment, 'method_label', 'shipping_method', 'method', 'carrier'),
    expectedAt: momentAt(shipment, 'expected_at', 'estimated_at', 'eta'),
    items: (rowsOf(shipment['items'], shippedItems) ?? []).map((item) => ({
      name: textAt(item, 'name', 'sku') ?? '–',
      qty: quantityAt(item, 'qty', 'quantity'),
    })),
  });

/** An address from its lines, or from its fields. */
function addressOf(shipment: Section): Pick<ReceiptShipment, 'lines' | 'country'> {
  const address = shipment['address'] ?? shipment['shipping_address'] ?? shipment;
  if (typeof address === 'string') return { lines: shownLines(address.split('\n')), country: null };
  if (!isSection(address)) return { lines: [], country: null };
  const street = Array.isArray(address['street'])
    ? shownLines(address['street']).join(', ')
    : textAt(address, 'street');
  const name = textAt(address, 'name') ?? joined([textAt(address, 'firstname'), textAt(address, 'lastname')], ' ');
  const country = textAt(address, 'country', 'country_id');
  return { lines: [name, street, townOf(address, country)].flatMap((line) => (line ? [line] : [])), country };
}

/** In North America the postcode follows the town; elsewhere it stands before it. */
function townOf(address: Section, country: string | null): string | null {
  const [city, region, postcode] = [textAt(address, 'city'), textAt(address, 'region'), textAt(address, 'postcode')];
  return /^(?:US|USA|United States|CA|Canada)\b/i.test(country ?? '')
    ? joined([city, joined([region, postcode], ' ')], ', ')
    : joined([joined([postcode, city], ' '), region], ', ');
}

/** At most as many lines as an address may have. */
const shownLines = (lines: readonly unknown[]): string[] =>
  lines.slice(0, addressLines).flatMap((line) => shown(line) ?? []);

const joined = (parts: readonly (string | null)[], by: string) => parts.filter(Boolean).join(by) || null;
