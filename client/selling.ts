import type { TaxPlaceRate } from '../domain/platform/carts/cart-totals.ts';
import type { SaleLine, ShopMoney } from './totals.ts';

/** Where and by whom is sold: `placeOf` makes it of the register's configuration and the cashier's session. */
export interface Place {
  terminalId: number;
  locationId: number;
  staffId: number;
  staffName: string;
  /** The store view of the location: it decides currency, prices and taxes. */
  storeId: number;
  money: ShopMoney;
  /** The store's own, for customers who give none. */
  address: Address;
  /** For guests who give no e-mail. Absent: `walk-in@example.com`. */
  guestEmail?: string;
  /** The tax rates here for a guest; `taxPercentOf` reads them. Absent: each line says its own. */
  taxes?: readonly TaxPlaceRate[];
}

export interface Address {
  street: readonly string[];
  city: string;
  postcode: string;
  countryId: string;
  telephone: string;
  firstname?: string;
  lastname?: string;
}

export interface Buyer {
  /** Absent: a guest. */
  id?: number;
  email: string;
  address?: Address;
}

export interface Payment {
  /** The platform's word: cash is `cashondelivery`, a card what `magento_method` of the settings says. */
  method: string;
  /** The word on the receipt. Absent: the same. */
  label?: string;
  /** What the customer gave, in cash. */
  tendered?: number;
  /** The card terminal's own id of the payment. */
  transactionId?: string;
}

/** One of several ways of paying one sale. */
export interface SplitPayment extends Payment {
  /** Its part, in the customer's currency. */
  amount: number;
}

/** Credit that pays a part: what `credit()` said is there. */
export interface AppliedCredit {
  credit_type: 'store_credit' | 'gift_card' | 'reward_points' | (string & {});
  /** In the customer's currency. */
  amount: number;
  points?: number;
  code?: string;
}

export interface Sale {
  /** Made when the cashier presses the key. Absent: made here. */
  saleId?: string;
  lines: readonly SaleLine[];
  /**
   * How the customer pays what credits leave. Several parts, such as cash and card, each with its amount: together they
   * are what is to be paid. A refund to the card is possible up to the part of the first one with a `transactionId`.
   */
  payment: Payment | readonly SplitPayment[];
  buyer?: Buyer;
  credits?: readonly AppliedCredit[];
  /** Sold on invoice: so much is paid later. The service opens the invoice itself. */
  creditDue?: number;
  /** The goods go out later: no shipment now. */
  isHandedOverLater?: boolean;
}
