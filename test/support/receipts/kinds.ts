import { money, pieces } from '../../../domain/money.ts';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import { aPlace, anItem, aReceiptView, twoItems } from './a-receipt-view.ts';
import { oddKinds } from './odd-kinds.ts';

const model = (sections: object) => JSON.stringify({ schema_version: 1, ...sections });

const berlin = aPlace({
  name: 'Kastanienallee',
  street: 'Kastanienallee 12',
  city: 'Berlin',
  region: null,
  region_id: null,
  postcode: '10435',
  country_id: 'DE',
  phone: '+49 30 555 0142',
  vat_number: 'DE811111111',
  receipt_header: 'Vielen Dank für Ihren Einkauf!',
  receipt_footer: 'Umtausch innerhalb von 30 Tagen mit diesem Beleg.\nluma.example',
});

const layaway = {
  subtotal: money('240.00'),
  taxAmount: money('19.20'),
  grandTotal: money('259.20'),
  amountTendered: null,
  changeDue: null,
  layawayExpiresAt: new Date('2026-12-23T12:00:00Z'),
  customerName: 'Grace Hopper',
};
const jacket = [
  anItem({ sku: 'MJ01-M', name: 'Beaumont Summit Kit', price: money('240.00'), rowTotal: money('240.00') }),
];

/** One receipt of every kind there is, each with what only it has. */
export const everyKind: Readonly<Record<string, () => ReceiptView>> = {
  sale: () => aReceiptView({ receipt: { pointsEarned: money('62'), customerName: 'Grace Hopper' } }),

  'sale-fiscal': () =>
    aReceiptView({
      place: berlin,
      receipt: {
        currency: 'EUR',
        amountTendered: null,
        changeDue: null,
        receiptModel: model({
          currency_code: 'EUR',
          items: [
            {
              sku: 'WS03-L',
              name: 'Iris Workout Top',
              qty: 2,
              price: 29,
              row_total: 58,
              base_unit_price: 36,
              options: [{ label: 'Größe', value: 'L' }],
            },
            { sku: 'BOOK-1', name: 'Wanderführer Sächsische Schweiz', qty: 1, price: 19.9, row_total: 19.9 },
            { sku: 'TEA', name: 'Darjeeling, lose', qty: 0.25, price: 64, row_total: 16, discount_amount: 1.6 },
          ],
          totals: {
            subtotal: 93.9,
            discount_amount: -1.6,
            tax_amount: 12.32,
            grand_total: 92.3,
            tax_breakdown: [
              { label: 'MwSt.', rate: '19', base: 48.74, amount: 9.26 },
              { label: 'MwSt.', rate: '7', base: 31.24, amount: 3.06 },
            ],
          },
          payment: {
            split_payments: [
              { method: 'giftcard', label: 'Gutschein', amount: 25 },
              {
                method: 'provider_a',
                label: 'Karte',
                amount: 67.3,
                card_brand: 'Visa',
                masked_pan: '411111******4242',
                auth_code: '083211',
                aid: 'A0000000031010',
                entry_mode: 'contactless',
              },
            ],
          },
          fiscal: {
            tss_serial_number: 'a1f5c9b2f4d84fb1a6e0c0f8d2b7e6a9',
            transaction_number: 10482,
            signature_counter: 20964,
            start_time: '2026-11-23T15:03:21Z',
            end_time: '2026-11-23T15:04:00Z',
            signature: 'MEUCIQDrT8nQv0m1cPq6yqKX0hQ2e0oV5c2sYk3mVb4lG6n9WQIgB3tq',
            qr_code_data:
              'V0;955002-00;Kassenbeleg-V1;Beleg^48.74_31.24_0.00_0.00_0.00^67.30:Unbar_25.00:Bar;10482;20964',
          },
        }),
      },
      parts: { locale: 'de_DE', timeZone: 'Europe/Berlin' },
    }),

  refund: () =>
    aReceiptView({
      receipt: {
        saleType: 'refund',
        originalOrderIncrementId: '000000042',
        orderIncrementId: null,
        subtotal: money('-34.00'),
        taxAmount: money('-2.72'),
        grandTotal: money('-36.72'),
        amountTendered: null,
        changeDue: null,
        shippingRefund: money('5.00'),
        adjustmentNegative: money('-5.00'),
        paymentMethod: 'provider_a',
        receiptModel: model({ refund: { method_label: 'Visa •••• 4242', reason: 'Wrong size' } }),
      },
      items: [anItem({ qty: pieces(-1), rowTotal: money('-34.00') })],
    }),

  exchange: () =>
    aReceiptView({
      receipt: {
        saleType: 'exchange',
        originalOrderIncrementId: '000000031',
        subtotal: money('-6.00'),
        taxAmount: money('-0.48'),
        grandTotal: money('-6.48'),
        amountTendered: null,
        changeDue: null,
        appliedCredits: JSON.stringify([{ type: 'store_credit', amount: '-6.48' }]),
        paymentMethod: null,
      },
      items: [anItem({ qty: pieces(-1), rowTotal: money('-34.00') }), ...twoItems().slice(1)],
    }),

  deposit: () =>
    aReceiptView({
      receipt: {
        ...layaway,
        layawayKind: 'deposit',
        layawayAmountCaptured: money('60.00'),
        layawayTotalPaid: money('60.00'),
        layawayBalanceOwed: money('199.20'),
      },
      items: jacket,
    }),

  'top-up': () =>
    aReceiptView({
      receipt: {
        ...layaway,
        layawayKind: 'top_up',
        layawayAmountCaptured: money('80.00'),
        layawayTotalPaid: money('140.00'),
        layawayBalanceOwed: money('119.20'),
        paymentMethod: 'provider_a',
        terminalInfo: JSON.stringify({ card_brand: 'Mastercard', last4: '4444', auth_code: '771203' }),
      },
      items: jacket,
    }),

  settlement: () =>
    aReceiptView({
      receipt: {
        ...layaway,
        layawayKind: 'settlement',
        layawayAmountCaptured: money('119.20'),
        layawayTotalPaid: money('259.20'),
        layawayBalanceOwed: money('0'),
      },
      items: jacket,
    }),

  'credit-due': () =>
    aReceiptView({
      receipt: {
        ...layaway,
        layawayKind: 'credit_due',
        layawayAmountCaptured: money('100.00'),
        layawayTotalPaid: money('159.20'),
        layawayBalanceOwed: money('100.00'),
        layawayExpiresAt: null,
        paymentMethod: 'banktransfer',
      },
      items: [],
    }),

  shipped: () =>
    aReceiptView({
      receipt: {
        discountAmount: money('-6.20'),
        appliedCredits: JSON.stringify([
          { type: 'gift_card', code: 'GC-7QK2-9XWP-4421', amount: '20.00' },
          { type: 'reward_points', points: 500, amount: '5.00' },
        ]),
        splitPayments: JSON.stringify([
          { method: 'cash', label: 'Cash', amount: '15.00' },
          { method: 'provider_a', label: 'Card', amount: '20.76', card_brand: 'Amex', last4: '0005', auth_code: '119' },
        ]),
        amountTendered: null,
        changeDue: null,
        grandTotal: money('60.76'),
        shipToShipments: JSON.stringify([
          {
            name: 'Grace Hopper',
            street: ['500 Navy Yard', 'Apt 7'],
            city: 'Arlington',
            region: 'Virginia',
            postcode: '22202',
            country: 'US',
            shipping_method: 'Ground',
            items: [{ name: 'Affirm Water Bottle', qty: 4 }],
          },
        ]),
        backorderShipments: JSON.stringify([
          { expected_at: '2026-12-04', items: [{ name: 'Joust Duffle Bag', qty: 1 }] },
        ]),
      },
    }),

  ...oddKinds,
};
