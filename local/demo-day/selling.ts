import type { OpenRegister } from './open-register.ts';
import type { Json } from './teller.ts';

/** A sale of one kind of goods, as the demo wants it. */
export interface Selling {
  register: OpenRegister;
  product: Json;
  /** In the store's currency, per piece; the cents choose what the gateway does with its refund. */
  price: number;
  qty: number;
  payment: 'cash' | 'card' | 'invoice';
  /** What was entered for the product's custom options, and the SKU of such a line. */
  entered?: { sku: string; options: readonly { option_id: string; option_value: string }[] };
  /** A fixed tax for one piece, on top of its price. */
  fixedTax?: number;
  /** The customer; default: a walk-in customer. */
  customer?: Customer;
  /** Credits spent on it as tender; the terminal takes the rest. */
  credits?: readonly { credit_type: string; amount: number; code?: string }[];
}

export interface Customer {
  id: number;
  email: string;
}
