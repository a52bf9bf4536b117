import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import type { CartKey } from './lock-cart.ts';
import { readLockedCart } from './read-cart.ts';
import { saveCartAddress, type CartAddressDraft } from './save-cart-address.ts';
import { requireProducts } from './set-coupon.ts';

export interface PaymentWish {
  method: string;
  poNumber: string | undefined;
}

export interface PaymentInformation {
  /** The guest's email; a customer's is that of the account. */
  email?: string | undefined;
  payment: PaymentWish | undefined;
  billingAddress: CartAddressDraft | undefined;
}

/**
 * Sets how the customer's cart will be paid, and its billing address if one is sent (platform facts 11). Whether the
 * method is offered is checked only when the order is placed. Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products · 400 an address the country's rules refuse.
 */
export const setPayment = (em: EntityManager, key: CartKey, information: PaymentInformation): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    requireProducts(cart);
    await choosePayment(tx, cart, information);
  });

/** The same for a locked cart. Absent fields stay as they are. */
export async function choosePayment(
  em: EntityManager,
  cart: { quoteId: number; customerId: number | null },
  { email, payment, billingAddress }: PaymentInformation,
): Promise<void> {
  // A customer's email is that of the account.
  if (email !== undefined && cart.customerId === null) await setEmail.run(em, { quoteId: cart.quoteId, email });
  if (billingAddress) await saveCartAddress(em, cart, 'billing', billingAddress);
  if (!payment) return;
  await set.run(em, { quoteId: cart.quoteId, method: payment.method, poNumber: payment.poNumber ?? null });
}

const set = statement({
  takes: { quoteId: integer, method: text, poNumber: orNull(text) },
  text: `
    update quote set payment_method = $method, po_number = $poNumber, updated_at = now() where quote_id = $quoteId`,
});

const setEmail = statement({
  takes: { quoteId: integer, email: text },
  text: 'update quote set customer_email = $email, updated_at = now() where quote_id = $quoteId',
});
