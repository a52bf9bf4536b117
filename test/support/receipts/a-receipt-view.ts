import { shopSettings } from '../../../domain/configuration/setting-defaults.ts';
import { money, pieces } from '../../../domain/money.ts';
import { receiptViewOf } from '../../../domain/receipts/receipt-view-of.ts';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import type {
  ReceiptParts,
  StoredItem,
  StoredPlace,
  StoredReceipt,
} from '../../../domain/receipts/receipt-payments.ts';

export const aToken = 'c0ffee'.padEnd(64, '0');

/** A sale of two things for cash, in the columns alone. */
export const aStoredReceipt = (own: Partial<StoredReceipt> = {}): StoredReceipt => ({
  receiptId: 42,
  posOrderId: '6f1d2c1e-8f0b-4c53-9b6a-2f0f3a5f7a10',
  createdAt: new Date('2026-11-23T15:04:00Z'),
  saleType: null,
  layawayKind: null,
  currency: 'USD',
  staffName: 'Ada Lovelace',
  terminalName: 'Till 1',
  locationName: 'Harbor Street',
  customerName: null,
  receiptNumber: 'R-1001',
  orderIncrementId: '000000042',
  originalOrderIncrementId: null,
  paymentMethod: 'cash',
  subtotal: money('62.00'),
  taxAmount: money('4.96'),
  discountAmount: null,
  grandTotal: money('66.96'),
  amountTendered: money('70.00'),
  changeDue: money('3.04'),
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
  ...own,
});

export const anItem = (own: Partial<StoredItem> = {}): StoredItem => ({
  sku: '24-MB01',
  name: 'Joust Duffle Bag',
  qty: pieces(1),
  price: money('34.00'),
  rowTotal: money('34.00'),
  discountAmount: null,
  baseUnitPrice: null,
  fulfillmentMode: null,
  ...own,
});

export const twoItems = (): StoredItem[] => [
  anItem(),
  anItem({
    sku: '24-UG06',
    name: 'Affirm Water Bottle',
    qty: pieces(4),
    price: money('7.00'),
    rowTotal: money('28.00'),
  }),
];

export const aPlace = (own: Partial<StoredPlace> = {}): StoredPlace => ({
  name: 'Harbor Street',
  street: '12 Harbor Street',
  city: 'Portland',
  region: 'Oregon',
  region_id: 49,
  postcode: '97205',
  country_id: 'US',
  phone: '+1 503 555 0142',
  vat_number: null,
  address_use_storeview: false,
  receipt_header: 'Thank you for stopping by.',
  receipt_footer: 'Returns within 30 days with this receipt.',
  receipt_show_staff_name: null,
  receipt_show_order_number: null,
  receipt_logo_size: null,
  receipt_store_info_placement: null,
  staff_name_format: null,
  config_overrides: {},
  ...own,
});

export interface ViewWish {
  receipt?: Partial<StoredReceipt>;
  items?: readonly StoredItem[];
  place?: StoredPlace;
  settings?: Readonly<Record<string, string>>;
  parts?: Partial<ReceiptParts>;
}

/** What a receipt of a shop in Portland shows. */
export const aReceiptView = ({ receipt, items, place, settings = {}, parts }: ViewWish = {}): ReceiptView =>
  receiptViewOf({
    receipt: aStoredReceipt(receipt),
    items: items ?? twoItems(),
    token: aToken,
    place: place ?? aPlace(),
    settings: shopSettings(new Map(Object.entries({ 'general/store_information/name': 'Luma', ...settings }))),
    shopName: 'Main Website',
    locale: 'en_US',
    timeZone: 'America/Los_Angeles',
    publicBaseUrl: 'https://shop.example',
    ...parts,
  });
