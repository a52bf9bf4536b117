import { z } from 'zod';
import { findPricedCart } from '../../db/platform/carts/find-cart.ts';
import { readCartWallet } from '../../db/store-credit/cart-wallet.ts';
import { toWire, zero } from '../../domain/money/amount.ts';
import { ratedCart } from '../../domain/platform/carts/rated-cart.ts';
import { absorbed } from '../../domain/store-credit/cart-credit.ts';
import { route } from '../http/route.ts';
import { noActiveCart } from '../wire/outcomes.ts';

/**
 * How much store credit the calling customer's cart can use: the balance, at most the cart's total (spec 4.11; the
 * shape is our choice).
 */
export const getCartCredit = route({
  method: 'GET',
  path: '/V1/carts/mine/store-credit',
  acl: 'self',
  summary: "How much store credit the calling customer's cart can absorb",
  name: 'getCartCredit',
  description: `How much of the store credit the cart can take: the balance, capped at the cart’s total. \`quote_\`
    amounts are in the cart’s currency, all others in the base currency.`,
  outcomes: [noActiveCart],
  response: z.object({
    balance: z.number(),
    applicable_amount: z.number(),
    applied_amount: z.number(),
    is_applied: z.boolean(),
    base_currency_code: z.string(),
    quote_applicable_amount: z.number(),
    quote_applied_amount: z.number(),
    quote_currency_code: z.string(),
  }),

  async handle({ em, caller, store, now }) {
    const owner = { customerId: caller.userId, websiteId: store.websiteId };
    const { cart, toPay } = await findPricedCart(em, owner, { sources: [], now });
    const { balance, currencyCode } = await readCartWallet(em, cart, { isBinding: false });
    const can = absorbed(balance, toPay, ratedCart(cart));
    const does = cart.usesStoreCredit ? can : { baseAmount: zero, amount: zero };
    return {
      balance: toWire(balance),
      applicable_amount: toWire(can.baseAmount),
      applied_amount: toWire(does.baseAmount),
      is_applied: cart.usesStoreCredit,
      base_currency_code: currencyCode,
      quote_applicable_amount: toWire(can.amount),
      quote_applied_amount: toWire(does.amount),
      quote_currency_code: cart.currencyCode,
    };
  },
});
