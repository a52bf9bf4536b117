import { expect, test } from 'vitest';
import { PosError } from '../../../domain/errors.ts';
import { none, pieces, quantity } from '../../../domain/money/quantity.ts';
import { refuseDocument, wantedQuantity, type OrderedLine } from '../../../domain/platform/document-lines.ts';
import { invoiceLines, invoiceErrors } from '../../../domain/platform/invoice-quantities.ts';
import { toCancel, toInvoice, toRefund, toRelease, toShip } from '../../../domain/platform/line-quantities.ts';
import { orderStates } from '../../../domain/platform/order-state.ts';
import { shipmentLines, shipmentErrors } from '../../../domain/platform/shipment-quantities.ts';

const line = (over: Partial<OrderedLine> = {}): OrderedLine => ({
  itemId: 1,
  sku: 'MUG',
  name: 'Mug',
  isQtyDecimal: false,
  isVirtual: false,
  qtyOrdered: pieces(5),
  qtyInvoiced: none,
  qtyShipped: none,
  qtyRefunded: none,
  qtyCanceled: none,
  ...over,
});

test.each([
  ['nothing happened', {}, [5, 5, 0, 5, 5]],
  ['two invoiced', { qtyInvoiced: pieces(2) }, [3, 5, 2, 3, 3]],
  ['two shipped', { qtyShipped: pieces(2) }, [5, 3, 0, 3, 3]],
  ['all invoiced, two shipped', { qtyInvoiced: pieces(5), qtyShipped: pieces(2) }, [0, 3, 5, 0, 0]],
  [
    'all invoiced, two shipped, one refunded',
    { qtyInvoiced: pieces(5), qtyShipped: pieces(2), qtyRefunded: pieces(1) },
    [0, 3, 4, 0, 0],
  ],
  ['all invoiced, three refunded unshipped', { qtyInvoiced: pieces(5), qtyRefunded: pieces(3) }, [0, 2, 2, 0, 0]],
  ['two invoiced, three cancelled', { qtyInvoiced: pieces(2), qtyCanceled: pieces(3) }, [0, 2, 2, 0, 0]],
] as const)('a line of five of which %s', (_case, over, [invoice, ship, refund, cancel, release]) => {
  const given = line(over);
  expect(toInvoice(given)).toBe(pieces(invoice));
  expect(toShip(given)).toBe(pieces(ship));
  expect(toRefund(given)).toBe(pieces(refund));
  expect(toCancel(given)).toBe(pieces(cancel));
  expect(toRelease(given)).toBe(pieces(release));
});

test('what is counted is cut to whole ones, what is weighed is not', () => {
  const wanted = [{ orderItemId: 1, qty: quantity(19_999) }];
  expect(wantedQuantity(line(), wanted)).toBe(pieces(1));
  expect(wantedQuantity(line({ isQtyDecimal: true }), wanted)).toBe(quantity(19_999));
  expect(wantedQuantity(line(), [{ orderItemId: 1, qty: pieces(-2) }])).toBe(none);
  expect(wantedQuantity(line(), [{ orderItemId: 2, qty: pieces(2) }])).toBe(none);
});

test('rows of one line are added up, each cut to whole ones', () => {
  const rows = (...units: number[]) => units.map((one) => ({ orderItemId: 1, qty: quantity(one) }));
  expect(wantedQuantity(line(), rows(10_000, 20_000))).toBe(pieces(3));
  expect(wantedQuantity(line(), rows(5_000, 15_000))).toBe(pieces(1));
  expect(wantedQuantity(line({ isQtyDecimal: true }), rows(5_000, 15_000))).toBe(pieces(2));
  expect(wantedQuantity(line(), rows(-10_000, 20_000))).toBe(pieces(2));
});

test('no list means everything left; a list means only that, and the others wait', () => {
  const lines = [line(), line({ itemId: 2, qtyInvoiced: pieces(5) }), line({ itemId: 3 })];
  expect(invoiceLines(lines, []).map(({ line: { itemId }, qty }) => [itemId, qty])).toEqual([
    [1, pieces(5)],
    [3, pieces(5)],
  ]);
  expect(invoiceLines(lines, [{ orderItemId: 3, qty: pieces(2) }]).map(({ qty }) => qty)).toEqual([none, pieces(2)]);
});

test('more than is left to invoice is refused by name', () => {
  expect(() => invoiceLines([line()], [{ orderItemId: 1, qty: pieces(6) }])).toThrow(
    expect.objectContaining({ message: 'We found an invalid quantity to invoice item "%1".', parameters: ['Mug'] }),
  );
});

const withoutProducts = "The invoice can't be created without products. Add products and try again.";
const notAllowed = 'The order does not allow an invoice to be created.';

test.each(orderStates)('whether an order that is %s may be invoiced', (state) => {
  const errors = invoiceErrors({ state, status: 'shown', lines: [line()] }, [{ qty: pieces(1) }]);
  const stops = ['complete', 'closed', 'canceled', 'holded', 'payment_review'].includes(state);
  expect(errors).toEqual(stops ? ['An invoice cannot be created when an order has a status of shown'] : []);
});

test('an order invoiced in full says both what is missing and that it may not', () => {
  const lines = [line({ qtyInvoiced: pieces(5) })];
  expect(invoiceErrors({ state: 'pending_payment', status: 'pending_payment', lines }, [])).toEqual([
    withoutProducts,
    notAllowed,
  ]);
});

test('unknown goods alone are no products', () => {
  const chosen = invoiceLines([line()], [{ orderItemId: 99, qty: pieces(1) }]);
  expect(invoiceErrors({ state: 'new', status: 'pending', lines: [line()] }, chosen)).toEqual([withoutProducts]);
});

const nothingToShip = "You can't create a shipment without products.";
const shipped = (state: (typeof orderStates)[number], lines = [line()]) => ({
  state,
  status: 'shown',
  isVirtual: false,
  lines,
});

test('virtual goods and what is handed over already are not shipped', () => {
  const lines = [line({ isVirtual: true }), line({ itemId: 2, qtyShipped: pieces(5) }), line({ itemId: 3 })];
  expect(shipmentLines(lines, []).map(({ line: { itemId } }) => itemId)).toEqual([3]);
});

test.each(orderStates)('whether an order that is %s may be shipped', (state) => {
  const lines = [line()];
  const errors = shipmentErrors(shipped(state, lines), shipmentLines(lines, []), []);
  const stops = ['canceled', 'holded', 'payment_review'].includes(state);
  expect(errors).toEqual(stops ? ['A shipment cannot be created when an order has a status of shown'] : []);
});

test('the order’s own line comes first, then the document’s, then its tracks’', () => {
  const done = [line({ qtyShipped: pieces(5) })];
  expect(shipmentErrors(shipped('processing', done), [], [{ trackNumber: '' }])).toEqual([
    'The order does not allow a shipment to be created.',
    nothingToShip,
    'Please enter a tracking number.',
  ]);
});

test('more than is left to hand over is refused by sku, and counts for nothing', () => {
  const lines = [line()];
  const chosen = shipmentLines(lines, [{ orderItemId: 1, qty: pieces(6) }]);
  expect(shipmentErrors(shipped('processing', lines), chosen, [])).toEqual([
    'The quantity to ship must not be greater than the unshipped quantity for product SKU "MUG".',
    nothingToShip,
  ]);
});

test('everything that stands against a document is said at once', () => {
  expect(() => refuseDocument('Invoice', ['One.', 'Two.'])).toThrow(
    new PosError({ status: 400, message: 'Invoice Document Validation Error(s):\nOne.\nTwo.' }),
  );
  expect(() => refuseDocument('Shipment', [])).not.toThrow();
});
