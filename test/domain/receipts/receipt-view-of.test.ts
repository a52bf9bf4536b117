import { expect, test } from 'vitest';
import { money } from '../../../domain/money/amount.ts';
import { aPlace, aReceiptView, aToken } from '../../support/receipts/a-receipt-view.ts';

const modelled = (model: unknown) =>
  aReceiptView({ receipt: { receiptModel: typeof model === 'string' ? model : JSON.stringify(model) } });

test('a receipt shows its document where that is of version 1', () => {
  const view = modelled({ schema_version: 1, totals: { grand_total: '12.50' }, items: [{ name: 'Tea', qty: 1 }] });
  expect(view.totals.grandTotal).toBe(money('12.50'));
  expect(view.items.map(({ name }) => name)).toEqual(['Tea']);
});

test.each([
  ['broken', '{"schema_version": 1, "totals"'],
  ['of an unknown version', { schema_version: 2, totals: { grand_total: 1 } }],
  ['without a version', { totals: { grand_total: 1 } }],
  ['a list', [1]],
  ['null', 'null'],
  ['of sections that are none', { schema_version: 1, totals: 7, items: 'x', payment: [], header: null, fiscal: true }],
])('a document that is %s counts as none: the columns are shown', (_what, model) => {
  expect(modelled(model)).toEqual(aReceiptView());
});

test('a figure that the document writes in no known way is that of the column', () => {
  const view = modelled({ schema_version: 1, totals: { grand_total: 'a lot', tax_amount: Number.MAX_VALUE } });
  expect(view.totals).toMatchObject({ grandTotal: money('66.96'), tax: money('4.96') });
});

test('what objects have of themselves is never read', () => {
  const view = modelled('{"schema_version":1,"header":{"__proto__":{"receipt_number":"evil"}},"totals":{}}');
  expect(view.facts.receiptNumber).toBe('R-1001');
});

test('the order’s number is the server’s, which knows it later', () => {
  expect(modelled({ schema_version: 1, header: { order_increment_id: 'early' } }).facts.orderNumber).toBe('000000042');
});

test('the shop’s words are those of now: the location’s, the shop’s where they are locked or the location is gone', () => {
  const settings = { 'vendor_pos_terminal/receipt/header': 'The shop says hello' };
  expect(aReceiptView({ settings }).shop.header).toBe('Thank you for stopping by.');
  const locked = { ...settings, 'vendor_pos_lock/enforcement/receipt_header': '1' };
  expect(aReceiptView({ settings: locked }).shop.header).toBe('The shop says hello');
  const gone = aReceiptView({ settings, parts: { place: undefined } });
  expect(gone.shop).toMatchObject({ header: 'The shop says hello', locationName: 'Harbor Street', addressLines: [] });
});

test('a document cannot bring a shop’s name, logo or words of its own', () => {
  const own = { store_name: 'Evil', shop_name: 'Evil', logo: 'Evil', header: 'Evil', footer: 'Evil' };
  const view = modelled({ schema_version: 1, ...own, receipt_footer: 'Evil', store: own });
  expect(view).toEqual(aReceiptView());
});

test('a locked address is that of the store view', () => {
  const settings = {
    'general/store_information/street_line1': '1 Main Street',
    'general/store_information/city': 'Salem',
    'vendor_pos_lock/enforcement/store_details': '1',
  };
  expect(aReceiptView({ settings }).shop.addressLines.join()).toContain('1 Main Street');
});

test('what a shop does not show is not there', () => {
  const place = aPlace({ receipt_show_staff_name: false, config_overrides: { receipt_show_sale_reference: false } });
  expect(aReceiptView({ place }).facts).toMatchObject({
    staffName: null,
    saleReference: null,
    receiptNumber: 'R-1001',
  });
});

test.each([
  ['first_name', 'Ada'],
  ['first_name_last_initial', 'Ada L.'],
  ['initials', 'A. L.'],
  [null, 'Ada Lovelace'],
])('staff are named as the shop wants it (%s)', (format, name) => {
  expect(aReceiptView({ place: aPlace({ staff_name_format: format }) }).facts.staffName).toBe(name);
});

test.each([
  ['', `https://shop.example/receipt/${aToken}`],
  ['https://luma.example/r/{token}', `https://luma.example/r/${aToken}`],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
])('the code leads where the shop says (%j)', (url, leads) => {
  expect(aReceiptView({ settings: { 'vendor_pos_terminal/receipt/qr_url': url } }).code?.url).toBe(leads);
});

test('of a card only its last four digits are shown, of a gift card the last four signs', () => {
  const view = aReceiptView({
    receipt: {
      splitPayments: JSON.stringify([{ label: 'Card', amount: '5.00', masked_pan: '411111******1111' }]),
      appliedCredits: JSON.stringify([{ type: 'gift_card', code: 'GC-SECRET-1234', amount: '1.00' }]),
    },
  });
  expect(view.payments[0]?.details).toEqual([{ kind: 'line', text: '•••• 1111' }]);
  expect(view.credits[0]?.tail).toBe('1234');
});

test('what only the shop may know is not on a receipt', () => {
  const own = {
    terminalDashboardUrl: 'https://inner',
    rawPayload: 'inner',
    terminalRawPayload: 'inner',
    sealedToken: 'inner',
  };
  expect(JSON.stringify(aReceiptView({ receipt: own as object }))).not.toContain('inner');
});

test('a very long receipt says how many lines it leaves out', () => {
  const items = Array.from({ length: 700 }, (_, at) => ({ name: `Thing ${at}` }));
  const view = modelled({ schema_version: 1, items });
  expect([view.items.length, view.itemsLeftOut]).toEqual([500, 200]);
});

test('no list of a document is shown without an end', () => {
  const many = (row: unknown) => Array.from({ length: 700 }, () => row);
  const shipment = { address: 'line\n'.repeat(700), items: many({ name: 'Tea' }) };
  const view = modelled({
    schema_version: 1,
    items: [{ name: 'Tea', options: many({ label: 'Size', value: 'L' }) }],
    totals: { tax_breakdown: many({ label: 'VAT', amount: '1' }) },
    payment: { split_payments: many({ label: 'Card' }), applied_credits: many({ type: 'gift_card' }) },
    ship_to_shipments: many(shipment),
    backorder_shipments: many({ address: { street: many('lane') } }),
  });

  expect(view.items[0]?.options).toHaveLength(20);
  expect(view.totals.taxes).toHaveLength(30);
  expect([view.payments.length, view.credits.length]).toEqual([50, 50]);
  expect(view.shipments).toHaveLength(40);
  expect([view.shipments[0]?.lines.length, view.shipments[0]?.items.length]).toEqual([10, 100]);
  expect(view.shipments[20]?.lines).toEqual([Array(10).fill('lane').join(', ')]);
});

test('of stored lists no more is shown than of those of a document', () => {
  const many = JSON.stringify(Array.from({ length: 700 }, () => ({ label: 'One of many' })));
  const stored = { splitPayments: many, appliedCredits: many, shipToShipments: many, backorderShipments: many };
  const view = aReceiptView({ receipt: stored });
  expect([view.payments.length, view.credits.length, view.shipments.length]).toEqual([50, 50, 40]);
});
