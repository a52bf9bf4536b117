import { describe, expect, test } from '@jest/globals';
import { cardDataIn, fitsCheckDigit } from '../../../domain/card-data.ts';
import { money } from '../../../domain/money.ts';
import { decideClaim } from '../../../domain/receipts/claim.ts';
import { receiptFault } from '../../../domain/receipts/receipt-view.ts';
import { aPlace, aReceiptView, aToken } from '../../support/receipts/a-receipt-view.ts';

describe('claim', () => {
  test.each([
    ['a receipt of nobody, of an order of nobody', null, null, 'claim'],
    ['a receipt of nobody, of an order of one’s own', null, 7, 'claim'],
    ['a receipt of nobody, of an order of somebody else', null, 8, 'taken'],
    ['a receipt of one’s own', 7, 7, 'yours'],
    ['a receipt of somebody else', 8, 8, 'taken'],
    ['a receipt of somebody else, though the order is one’s own', 8, 7, 'taken'],
  ] as const)('%s: %s, %s → %s', (_case, claimedBy, orderCustomerId, decision) => {
    expect(decideClaim({ customerId: 7, claimedBy, orderCustomerId })).toBe(decision);
  });
});

describe('receipt fault', () => {
  describe('card data that must not be stored', () => {
    test.each([
      ['a Visa number', '{"card":"4111111111111111"}'],
      ['a grouped number', 'paid with 4111 1111 1111 1111 today'],
      ['a number with dashes', '5500-0000-0000-0004'],
      ['an American Express number', '"378282246310005"'],
      ['a number inside JSON inside JSON', JSON.stringify({ raw: JSON.stringify({ pan: '6011111111111117' }) })],
      ['a Mastercard of the second range', '2223003122003222'],
      ['track 1', '%B4111111111111111^DOE/JOHN^25121010000000000?'],
      ['track 2', ';4111111111111111=25121010000012300000?'],
      ['a security code', '{"cvv":"123"}'],
      ['a security code in a text in JSON', JSON.stringify({ raw: '{"cvc2": 123}' })],
      ['a PIN block', '{"pinBlock":"0412AC89ABCDEF67"}'],
    ])('%s is found', (_case, text) => {
      expect(cardDataIn(text)?.what).toMatch(/card/);
    });

    test.each([
      ['a masked number', '411111******1111'],
      ['the last four', '{"last4":"1111","cvv_present":true}'],
      ['16 digits that fail the check', '4111111111111112'],
      ['16 digits nobody issues', '9999999999999995'],
      ['a moment in milliseconds', '{"at":1763719200000}'],
      ['an article number', '4006381333931'],
      ['a UUID with digits', '41111111-1111-4111-8111-111111111111'],
      ['a piece of a longer number', '004111111111111111'],
      ['a fraction', '0.4111111111111111'],
      ['a hexadecimal token', 'a4111111111111111f'],
      ['a security code that was checked', '{"cvv_result":"M"}'],
    ])('%s passes', (_case, text) => {
      expect(cardDataIn(text)).toBeUndefined();
    });
  });

  describe('a number that is something else’s', () => {
    const visa = '4111111111111111';

    test.each([
      ['a sku', { items: [{ sku: visa }] }],
      ['a barcode', { item: { barcode: visa } }],
      ['a gift card’s code', [{ type: 'gift_card', code: visa }]],
      ['a gift card’s number and PIN', { giftCard: { number: visa, pin: '1234' } }],
      ['the name of a gift card that was sold', { lines: [{ name: `Gift card ${visa}` }] }],
      ['a payment’s id', { paymentId: visa }],
      ['a list of codes', { codes: [visa] }],
      ['a tracking number', { tracks: [{ track_number: visa }] }],
      ['JSON in JSON', { raw: JSON.stringify({ sku: visa }) }],
      ['a digest of capitals', { signature: `4111111111111111D2599${'F'.repeat(20)}` }],
    ])('%s passes', (_case, value) => {
      expect(cardDataIn(JSON.stringify(value))).toBeUndefined();
    });

    test.each([
      ['a note', { note: `paid with ${visa}` }, 'note'],
      ['a number on a new line', { note: `paid with\n${visa}` }, 'note'],
      ['a number of no kind', { payment: { number: visa } }, 'payment.number'],
      ['a number that is no text', { payment: { pan: Number(visa) } }, 'payment.pan'],
      ['JSON in JSON', { raw: JSON.stringify({ card: { number: visa } }) }, 'raw.card.number'],
      ['a key', { [visa]: true }, ''],
      ['a customer’s name', { customer: { name: visa } }, 'customer.name'],
      ['a track where a code belongs', { code: `;${visa}=25121010000012300000?` }, 'code'],
      ['a security code beside a gift card', { giftCard: {}, cvv: '123' }, 'cvv'],
      ['a list of lists', [[{ memo: [visa] }]], 'memo'],
    ])('in %s it is refused, and the field is named', (_case, value, at) => {
      expect(cardDataIn(JSON.stringify(value))).toMatchObject({ at });
    });

    test('is named from the field it came in, without the number itself', () => {
      expect(cardDataIn(visa, 'customer_name')?.at).toBe('customer_name');
      expect(cardDataIn(JSON.stringify({ [visa]: { x: visa } }), 'terminal_info')?.at).toBe('terminal_info');
      expect(cardDataIn(visa, 'items.sku')).toBeUndefined();
      expect(cardDataIn(visa, 'receipt_number')).toBeUndefined();
    });

    test('10 000 EANs, UPCs and gift cards’ numbers, all with a fitting check digit, cost no sale its receipt', () => {
      const random = numbersFrom(20_261_123);
      for (let at = 0; at < 10_000; at++) {
        const digits = withCheckDigit(Array.from({ length: [11, 12, 13, 14, 15][at % 5]! }, () => random(10)).join(''));
        const gift = withCheckDigit(
          `${['4', '51', '2221', '34', '6011'][at % 5]}${'0'.repeat(14)}`.slice(0, 8) + pad(random(9_999_999)),
        );
        for (const number of [digits, gift])
          expect([
            cardDataIn(number, 'items.sku'),
            cardDataIn(`Gift card ${number}`, 'items.name'),
            cardDataIn(JSON.stringify([{ code: number }, { type: 'gift_card', number }]), 'applied_credits'),
            cardDataIn(JSON.stringify({ items: [{ sku: number, barcode: number }] }), 'raw_payload'),
          ]).toEqual([undefined, undefined, undefined, undefined]);
      }
    });

    test('a text of a million brackets or backslashes is read in a moment', () => {
      const startedAt = performance.now();
      for (const text of ['['.repeat(1e6), '\\'.repeat(1e6), `${'{"a":'.repeat(2e5)}"${visa}"${'}'.repeat(2e5)}`])
        cardDataIn(text);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    });
  });

  /** A row of chances that is the same each time (mulberry32). */
  const numbersFrom = (seed: number) => (below: number) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
  const pad = (number: number) => String(number).padStart(7, '0');
  const withCheckDigit = (digits: string) =>
    '0123456789'
      .split('')
      .map((last) => digits + last)
      .find(fitsCheckDigit)!;

  describe('a receipt', () => {
    const fine = { posOrderId: 'sale-1', receiptToken: undefined, texts: [] };

    test.each([
      ['with a sale id', fine, undefined],
      ['with a token in capitals', { ...fine, receiptToken: 'A'.repeat(64) }, undefined],
      ['without a sale id', { ...fine, posOrderId: undefined }, /no sale id/],
      ['with a sale id of 65 characters', { ...fine, posOrderId: 's'.repeat(65) }, /longer than 64/],
      ['with a short token', { ...fine, receiptToken: 'ab12' }, /64 hexadecimal/],
      ['with a token of other letters', { ...fine, receiptToken: 'g'.repeat(64) }, /64 hexadecimal/],
      [
        'with a card number',
        { ...fine, texts: [['terminal_info', '4111111111111111']] as const },
        /card number in terminal_info/,
      ],
    ])('%s', (_case, given, fault) => {
      const found = receiptFault(given);
      if (fault) expect(found).toMatch(fault);
      else expect(found).toBeUndefined();
    });
  });
});

describe('receipt view of', () => {
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
    [
      'of sections that are none',
      { schema_version: 1, totals: 7, items: 'x', payment: [], header: null, fiscal: true },
    ],
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
    expect(modelled({ schema_version: 1, header: { order_increment_id: 'early' } }).facts.orderNumber).toBe(
      '000000042',
    );
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
});
