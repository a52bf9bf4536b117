import type { Amount } from '../money/amount.ts';
import type { ShownOption } from '../platform/catalog/option-figures.ts';
import type { Quantity } from '../money/quantity.ts';
import type { ShopSettings } from '../configuration/shop-settings.ts';
import type { PlaceAddress } from '../locations/with-store-address.ts';
import type { layawayKinds, saleTypes } from './receipt-kinds.ts';

/** The columns of a receipt from which a customer may see something. */
export interface StoredReceipt {
  receiptId: number;
  posOrderId: string;
  createdAt: Date;
  saleType: (typeof saleTypes)[number] | null;
  layawayKind: (typeof layawayKinds)[number] | null;
  currency: string | null;
  staffName: string | null;
  terminalName: string | null;
  locationName: string | null;
  customerName: string | null;
  receiptNumber: string | null;
  orderIncrementId: string | null;
  originalOrderIncrementId: string | null;
  paymentMethod: string | null;
  subtotal: Amount | null;
  taxAmount: Amount | null;
  discountAmount: Amount | null;
  grandTotal: Amount | null;
  amountTendered: Amount | null;
  changeDue: Amount | null;
  shippingRefund: Amount | null;
  adjustmentPositive: Amount | null;
  adjustmentNegative: Amount | null;
  layawayAmountCaptured: Amount | null;
  layawayTotalPaid: Amount | null;
  layawayBalanceOwed: Amount | null;
  layawayExpiresAt: Date | null;
  pointsEarned: Amount | null;
  isReverseCharge: boolean;
  receiptModel: string | null;
  splitPayments: string | null;
  appliedCredits: string | null;
  shipToShipments: string | null;
  backorderShipments: string | null;
  terminalInfo: string | null;
  claimedAt: Date | null;
}

/** What was entered for a line of the order, such as an engraving. */
export interface EnteredForLine {
  sku: string;
  options: readonly ShownOption[];
}

export interface StoredItem {
  sku: string | null;
  name: string | null;
  qty: Quantity | null;
  price: Amount | null;
  rowTotal: Amount | null;
  discountAmount: Amount | null;
  baseUnitPrice: Amount | null;
  fulfillmentMode: string | null;
}

/** A location's columns that a receipt shows or needs, by the keys of the resolved config. */
export interface StoredPlace extends PlaceAddress {
  name: string;
  receipt_header: string | null;
  receipt_footer: string | null;
  receipt_show_staff_name: boolean | null;
  receipt_show_order_number: boolean | null;
  receipt_logo_size: number | null;
  receipt_store_info_placement: string | null;
  staff_name_format: string | null;
  config_overrides: Readonly<Record<string, unknown>>;
}

/** All data from which a receipt is made. */
export interface ReceiptParts {
  receipt: StoredReceipt;
  items: readonly StoredItem[];
  /** Of the lines of the order with custom options, in their order; undefined: none. */
  entered?: readonly EnteredForLine[] | undefined;
  token: string;
  /** The location now; undefined: deleted, or not named by the receipt. */
  place: StoredPlace | undefined;
  /** The settings in the store view of the location, or of the sale. */
  settings: ShopSettings;
  shopName: string;
  locale: string;
  timeZone: string;
  /** The shop's public address; undefined where it is not set. */
  publicBaseUrl: string | undefined;
}
