import { shopSettings } from '../../domain/configuration/setting-defaults.ts';
import { money } from '../../domain/money.ts';
import type { ReceiptParts, StoredPlace, StoredReceipt } from '../../domain/receipts/receipt-payments.ts';
import { logoPath, mostLines, receiptViewOf } from '../../domain/receipts/receipt-view-of.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { templateFault } from './own-template.ts';
import { printReceipt } from './printed-receipt.ts';
import { nameMissingIn, ownTemplate, templateOf } from './templates.ts';

const nothing = {
  saleType: null,
  layawayKind: null,
  staffName: null,
  terminalName: null,
  locationName: null,
  customerName: null,
  receiptNumber: null,
  orderIncrementId: null,
  originalOrderIncrementId: null,
  paymentMethod: null,
  subtotal: null,
  taxAmount: null,
  discountAmount: null,
  grandTotal: null,
  amountTendered: null,
  changeDue: null,
  shippingRefund: null,
  adjustmentPositive: null,
  adjustmentNegative: null,
  layawayAmountCaptured: null,
  layawayTotalPaid: null,
  layawayBalanceOwed: null,
  layawayExpiresAt: null,
  pointsEarned: null,
  isReverseCharge: false,
  receiptModel: null,
  splitPayments: null,
  appliedCredits: null,
  shipToShipments: null,
  backorderShipments: null,
  terminalInfo: null,
  claimedAt: null,
  currency: null,
} as const satisfies Partial<StoredReceipt>;

const view = (receipt: Partial<StoredReceipt>, context: Partial<ReceiptParts> = {}): ReceiptView =>
  receiptViewOf({
    receipt: { ...nothing, receiptId: 1, posOrderId: 'sample', createdAt: new Date(0), ...receipt },
    items: [],
    token: '0'.repeat(64),
    place: undefined,
    settings: shopSettings(new Map()),
    shopName: 'Shop',
    locale: 'en_US',
    timeZone: 'UTC',
    publicBaseUrl: receipt.receiptModel ? 'https://shop.example' : undefined,
    ...context,
  });

const line = { name: 'Bag', sku: 'BAG', qty: 2, price: 4, row_total: 8, base_unit_price: 5, discount_amount: 1 };
const everything = {
  schema_version: 1,
  items: [{ ...line, options: [{ label: 'Size', value: 'L' }] }],
  totals: { tax_breakdown: [{ label: 'VAT', rate: '19', base: 7, amount: 1 }] },
  refund: { method_label: 'Card', reason: 'Wrong size' },
  fiscal: { signature: 'S', qr_code_data: 'Q' },
};

/** A location with every field set. */
const fullPlace: StoredPlace = {
  name: 'High Street',
  street: '1 High Street',
  city: 'Berlin',
  region: null,
  region_id: null,
  postcode: '10115',
  country_id: 'DE',
  phone: '+49 30 1',
  vat_number: 'DE1',
  address_use_storeview: false,
  receipt_header: 'Welcome\nto us',
  receipt_footer: 'Thank you\nCome again',
  receipt_show_staff_name: true,
  receipt_show_order_number: true,
  receipt_logo_size: 50,
  receipt_store_info_placement: 'footer',
  staff_name_format: null,
  config_overrides: {
    receipt_show_sale_reference: true,
    receipt_qr_url: 'https://shop.example/{token}',
    receipt_qr_text: 'Scan',
  },
};

/** A refund in a shop that shows everything: no layaway, more lines than fit, a customer who claimed it. */
const refundThere = () =>
  view(
    {
      currency: 'EUR',
      saleType: 'refund',
      originalOrderIncrementId: '1',
      terminalName: 'Till 1',
      subtotal: money('-8'),
      discountAmount: money('1'),
      grandTotal: money('-9'),
      shippingRefund: money('1'),
      adjustmentPositive: money('1'),
      adjustmentNegative: money('-1'),
      receiptModel: JSON.stringify({
        schema_version: 1,
        items: Array.from({ length: mostLines + 1 }, () => ({ name: 'Bag' })),
        totals: { shipping: 1, rounding: 0.01 },
        refund: { method_label: 'Card', reason: 'Wrong size' },
      }),
      backorderShipments: JSON.stringify([{ expected_date: '2026-01-01', items: [{ name: 'Bag', qty: 1 }] }]),
      claimedAt: new Date(0),
    },
    {
      place: fullPlace,
      settings: shopSettings(new Map([['vendor_pos_terminal/receipt/logo', 'a'.repeat(64)]])),
    },
  );

/** Receipts for trying a template: one nearly empty, one nearly full, and one with what the second cannot have. */
const sampleReceipts = (): readonly ReceiptView[] => [
  view({}),
  view({
    currency: 'USD',
    saleType: 'refund',
    layawayKind: 'deposit',
    orderIncrementId: '1',
    receiptNumber: 'R-1',
    staffName: 'Ada',
    customerName: 'Grace',
    paymentMethod: 'cash',
    subtotal: money('8'),
    taxAmount: money('1'),
    grandTotal: money('9'),
    amountTendered: money('10'),
    changeDue: money('1'),
    layawayAmountCaptured: money('5'),
    layawayTotalPaid: money('5'),
    layawayBalanceOwed: money('4'),
    pointsEarned: money('3'),
    isReverseCharge: true,
    receiptModel: JSON.stringify(everything),
    splitPayments: JSON.stringify([
      { method: 'card', label: 'Card', amount: '9.00', card_brand: 'Visa', last4: '4242' },
    ]),
    appliedCredits: JSON.stringify([{ type: 'gift_card', code: 'GC-1', amount: '1.00' }]),
    shipToShipments: JSON.stringify([{ name: 'Grace', street: ['1 Road'], items: [{ name: 'Bag', qty: 1 }] }]),
  }),
  refundThere(),
];

const page = templateOf('page');

/**
 * What is wrong with a shop's own template, as half a sentence: it leaves the dialect, or uses a name that not every
 * receipt has. Undefined: it works for every receipt.
 */
export function templateProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const fault = templateFault(text.trim());
  if (fault !== undefined) return fault;
  const own = ownTemplate(text.trim());
  for (const view of sampleReceipts()) {
    try {
      page({ ...printReceipt(view, { logo: view.shop.logo && logoPath(view.shop.logo.digest) }), actions: null }, own);
    } catch (error) {
      return missingName(error);
    }
  }
  return undefined;
}

/** Handlebars names the missing field and its object; only the field's name helps a reader. */
function missingName(error: unknown): string {
  const firstLine = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  const name = nameMissingIn(error);
  return name === undefined
    ? `a receipt cannot be written by it (${firstLine})`
    : `it names "${name}", which not every receipt has; where some have it, ask {{#if}} first`;
}
