import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { isPositive, toPlain, toWire, zero, type Amount } from '../../domain/money/amount.ts';
import { ratedCart } from '../../domain/platform/carts/rated-cart.ts';
import { absorbed, stillPays } from '../../domain/store-credit/cart-credit.ts';
import type { CartDue, CartTender, CartTenderSource } from '../platform/carts/cart-tender.ts';
import type { CartChoices } from '../platform/carts/read-cart.ts';
import { readCartWallet } from './cart-wallet.ts';

/**
 * Store credit applied to a cart (spec 4.11): the balance, capped at the cart's total. It is computed at every read,
 * so that totals never promise more than the balance.
 *
 * At placement the wallet is locked and read again. A larger balance pays more. One that no longer pays the amount
 * the customer saw is refused with 400, because the customer did not agree to pay more (our choice). The amount is
 * passed with the order as `pos_applied_credits`; the order's own hook debits the wallet.
 */
export const walletTender: CartTenderSource = {
  async preview(em, cart, due) {
    if (!cart.usesStoreCredit) return undefined;
    const { balance } = await readCartWallet(em, cart, { isBinding: false });
    return tenderOf(balance, cart, due);
  },

  async take(em, cart, due) {
    if (!cart.usesStoreCredit) return undefined;
    const balance = await lockedBalance(em, cart, due);
    return tenderOf(balance, cart, due);
  },

  carry: (posted, { amount }) => ({
    ...posted,
    extras: { ...posted.extras, posAppliedCredits: [{ credit_type: 'store_credit', amount: toWire(amount) }] },
  }),
};

async function lockedBalance(em: EntityManager, cart: CartChoices, due: CartDue): Promise<Amount> {
  const { balance } = await readCartWallet(em, cart, { isBinding: true });
  const seen = cart.storeCreditSeen ?? zero;
  if (stillPays(balance, seen, due.baseAmount)) return balance;
  throw invalid('Your store credit has changed: it was %1 and is %2. Apply it to the cart again.', [
    toPlain(seen),
    toPlain(balance),
  ]);
}

function tenderOf(balance: Amount, cart: CartChoices, due: CartDue): CartTender | undefined {
  const part = absorbed(balance, due, ratedCart(cart));
  return isPositive(part.amount) && isPositive(part.baseAmount)
    ? { code: 'store_credit', title: 'Store Credit', ...part }
    : undefined;
}
