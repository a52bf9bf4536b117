import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { isPositive, toPlain, toWire, zero, type Amount } from '../../domain/money.ts';
import { ratedCart } from '../../domain/platform/carts/shop-choices.ts';
import { noStoreCreditToApply } from '../../domain/refusals/money.ts';
import { absorbed, stillPays } from '../../domain/store-credit.ts';
import { readCreditScope } from '../credit-stores/read-credit-scope.ts';
import { lockCart, readLockedCart, type CartChoices, type CartKey } from '../platform/carts/carts.ts';
import type { CartDue, CartTender, CartTenderSource } from '../platform/carts/promote-cart.ts';

import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';

/**
 * The wallet that can pay a cart. Its balance is zero where there is none, where it has another currency, or where
 * the merchant disabled store credit.
 */
export interface CartWallet {
  balance: Amount;
  currencyCode: string;
}

interface WalletOwner {
  /** Null: a guest, who has no wallet. */
  customerId: number | null;
  websiteId: number;
  storeId: number;
  baseCurrencyCode: string;
}

const walletText = `
  select amount, base_currency_code from store_credit_wallet where customer_id = $customerId
    and website_id = $websiteId`;

const selectCartWallet = sql('cart-wallet.selectCartWallet')`${walletText}`;
const lock = sql('cart-wallet.lock')`${walletText} for update`;

/** @param isBinding locks the wallet until the transaction ends, and reads it then */
export async function readCartWallet(
  em: EntityManager,
  { customerId, websiteId, storeId, baseCurrencyCode }: WalletOwner,
  { isBinding }: { isBinding: boolean },
): Promise<CartWallet> {
  const row =
    customerId === null ? undefined : await (isBinding ? lock : selectCartWallet).first(em, { customerId, websiteId });
  const isOurs = row?.baseCurrencyCode === baseCurrencyCode;
  const balance = row && isOurs && (await isTaken(em, storeId)) ? row.amount : zero;
  return { balance, currencyCode: baseCurrencyCode };
}

const isTaken = async (em: EntityManager, storeId: number): Promise<boolean> =>
  (await readCreditScope(em, storeId)).settings.flag('vendor_store_credit/general/enabled');

/**
 * Applies the customer's store credit to the cart: it pays as far as it goes when the cart is placed (spec 4.11).
 * Only the cart is written: no wallet moves (I-25). A repeat stores the present balance.
 *
 * Refused with: 404 no active cart · 400 an empty wallet (our choice).
 */
export const applyToCart = (em: EntityManager, key: CartKey): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    const { balance } = await readCartWallet(tx, cart, { isBinding: false });
    if (!isPositive(balance)) throw noStoreCreditToApply();
    await apply.run(tx, { quoteId: cart.quoteId, balance });
  });

const apply = sql('cart-wallet.apply')`
  update quote set uses_store_credit = true, store_credit_seen = $balance, updated_at = now()
  where quote_id = $quoteId`;

/**
 * Lets the cart be paid without store credit again. Safe to repeat; no wallet moves. Refused with: 404 no active cart.
 */
export const removeFromCart = (em: EntityManager, key: CartKey): Promise<void> =>
  transact(em, async (tx) => {
    await remove.run(tx, { quoteId: (await lockCart(tx, key)).quoteId });
  });

const remove = sql('cart-wallet.remove')`
  update quote set uses_store_credit = false, store_credit_seen = null, updated_at = now()
  where quote_id = $quoteId`;

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
