import { money, pieces, quantity } from '../../../domain/money.ts';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import { aPlace, anItem, aReceiptView } from './a-receipt-view.ts';

/** Receipts that are hard to lay out: from right to left, and long. */
export const oddKinds: Readonly<Record<string, () => ReceiptView>> = {
  arabic: () =>
    aReceiptView({
      place: aPlace({
        name: 'شارع الملك فهد',
        street: 'شارع الملك فهد ١٢',
        city: 'الرياض',
        region: null,
        postcode: '12271',
        country_id: 'SA',
        phone: '+966 11 555 0142',
        vat_number: '300000000000003',
        receipt_header: 'شكراً لزيارتكم',
        receipt_footer: 'الاستبدال خلال ٣٠ يوماً مع هذا الإيصال.',
      }),
      items: [
        anItem({ name: 'حقيبة سفر', price: money('129.00'), rowTotal: money('129.00') }),
        anItem({
          name: 'Water Bottle زجاجة ماء',
          sku: '24-UG06',
          qty: pieces(2),
          price: money('25.00'),
          rowTotal: money('50.00'),
        }),
      ],
      receipt: {
        currency: 'SAR',
        subtotal: money('179.00'),
        taxAmount: money('26.85'),
        grandTotal: money('205.85'),
        amountTendered: null,
        changeDue: null,
        customerName: 'ليلى',
        splitPayments: JSON.stringify([
          { method: 'provider_a', amount: '205.85', card_brand: 'Visa', last4: '4242', entry_mode: 'contactless' },
        ]),
        shipToShipments: JSON.stringify([
          {
            name: 'Grace Hopper',
            street: ['500 Navy Yard'],
            city: 'Arlington',
            country: 'US',
            items: [{ name: 'حقيبة', qty: 1 }],
          },
        ]),
      },
      settings: { 'general/store_information/name': 'لوما' },
      parts: { locale: 'ar_SA', timeZone: 'Asia/Riyadh' },
    }),

  long: () =>
    aReceiptView({
      place: aPlace({
        name: 'The Extraordinarily Long Named Flagship Store at the Old Harbour Warehouse, Number Four',
        receipt_header: `${'W'.repeat(90)}\n${'This shop has much to say. '.repeat(8)}`,
        receipt_footer: 'https://shop.example/returns/'.padEnd(140, 'returns-'),
      }),
      receipt: { isReverseCharge: true, customerName: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3) },
      items: [
        anItem({
          name: `${'Extraordinarily comprehensive outdoor expedition equipment bundle '.repeat(6)}`,
          sku: 'S'.repeat(120),
        }),
        anItem({
          name: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhalterung',
          qty: quantity(12_345),
          price: money('1234567.8912'),
          rowTotal: money('1524123.06'),
        }),
        ...Array.from({ length: 40 }, (_, at) => anItem({ name: `Small thing ${at + 1}`, sku: `T-${at}` })),
      ],
    }),
};
