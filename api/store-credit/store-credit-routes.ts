import { z } from 'zod';
import { findPricedCart } from '../../db/platform/carts/price-cart.ts';
import { addEntry, type NewEntry } from '../../db/store-credit/add-entry.ts';
import { applyToCart, readCartWallet, removeFromCart } from '../../db/store-credit/cart-wallet.ts';
import { findBalance } from '../../db/store-credit/read-balance.ts';
import { searchHistory, type Entry } from '../../db/store-credit/wallet.repository.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { toWire, zero } from '../../domain/money.ts';
import { ratedCart } from '../../domain/platform/carts/shop-choices.ts';
import {
  adjustmentIsZero,
  adjustmentReasonRequired,
  amountNotPositive,
  balanceBelowZero,
  balanceCurrencyMismatch,
  balanceTooHigh,
  noStoreCreditToApply,
  walletOfOtherWebsite,
  finerThanCoin,
} from '../../domain/refusals/money.ts';
import { attributeNameNotValid } from '../../domain/refusals/platform.ts';
import { absorbed, type Operation } from '../../domain/store-credit.ts';
import { walletActor } from '../http/route-kinds.ts';
import { route, type AnyRoute, type Caller, type Outcome } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { everything, renderList, searchCriteria } from '../wire/criteria.ts';
import { amount, count, derived, fieldsOf, moment } from '../wire/fields.ts';
import { movedMoney } from '../wire/moved-money.ts';
import { noActiveCart, unknownEntity } from '../wire/outcomes.ts';
import { idParam, listAnswer, recordId, reference, text, voidAnswer } from '../wire/schemas.ts';
import { balanceAnswer, renderBalance } from './render-balance.ts';

export const unknownCustomerOrWebsite: Outcome = unknownEntity('No customer, or no website, has this id.');

export const finerThanACoin = finerThanCoin;

/** An amount that is not above zero is refused in the wallet's own words. */
const walletMoney = movedMoney;

/**
 * The fields that credit, debit and adjust share. An absent reason is refused in the wallet's words, like an empty
 * one.
 */
const entryFields = {
  customerId: recordId,
  websiteId: recordId,
  reason: text(1_000).default(''),
  source: text(255).optional(),
};

/** Body of credit and debit (spec 4.11). */
const entryPayload = z.object({ ...entryFields, amount: walletMoney, idempotencyKey: reference(255).optional() });

type PostedEntry = z.output<typeof entryPayload>;

/** An empty key counts as absent. Refused with 400: card data in the reason. */
function newEntry(operation: Operation, posted: PostedEntry, caller: Caller): NewEntry {
  refuseCardData(posted.reason);
  return {
    ...posted,
    operation,
    source: posted.source || null,
    idempotencyKey: posted.idempotencyKey || null,
    actor: walletActor(caller),
  };
}

/**
 * An entry of a wallet's ledger with its actor (spec 2.17). `event_type` is 1 for a credit, 2 for a debit and 3 for an
 * adjustment; `api_user` names the user of an integration's token.
 */
const { answer: entryAnswer, render: renderEntry } = fieldsOf(
  {
    entry_id: count(),
    customer_id: z.int(),
    website_id: z.int(),
    event_type: z.int(),
    delta: amount(),
    balance_after: amount(),
    base_currency_code: z.string(),
    reason: z.string(),
    source: z.string().nullable(),
    idempotency_key: z.string().nullable(),
    admin_user_id: z.int().nullable(),
    api_user: derived(apiUserOf, z.object({ user_type: z.string(), user_id: z.int() }).nullable()),
    created_at: moment(),
  },
  'WalletEntry',
);

function apiUserOf({ apiUserType, apiUserId }: Entry) {
  return apiUserType === null || apiUserId === null ? null : { user_type: apiUserType, user_id: apiUserId };
}

/** Corrects a wallet by a signed amount (spec 4.11). Answers the ledger entry, which names the caller. */
const adjustWallet = route({
  method: 'POST',
  path: '/V1/vendor-store-credit/adjust',
  acl: 'Vendor_StoreCredit::balance_adjust',
  summary: 'Correct a balance',
  name: 'adjustWallet',
  description: `\`delta\` may be below zero. There is no key in the body: each call corrects again, unless it has
    the same \`Idempotency-Key\` header.`,
  outcomes: [
    unknownCustomerOrWebsite,
    walletOfOtherWebsite,
    adjustmentIsZero,
    balanceBelowZero,
    adjustmentReasonRequired,
    balanceCurrencyMismatch,
    finerThanACoin,
    balanceTooHigh,
  ],
  body: z.object({ ...entryFields, delta: walletMoney }),
  response: entryAnswer,

  async handle({ em, body: { delta, ...fields }, caller }) {
    return renderEntry(await addEntry(em, newEntry('adjustment', { ...fields, amount: delta }, caller)));
  },
});

/** Applies the calling customer's store credit to the cart. No money moves until the order is placed (spec 4.11). */
const applyCartCredit = route({
  method: 'POST',
  path: '/V1/carts/mine/store-credit/apply',
  acl: 'self',
  summary: "Apply store credit to the calling customer's cart",
  name: 'applyCartCredit',
  description:
    'The credit pays when the order is placed; until then no money moves. It needs no body. A repeat changes nothing.',
  outcomes: [noActiveCart, noStoreCreditToApply],
  response: voidAnswer,

  async handle({ em, caller, store }): Promise<[]> {
    await applyToCart(em, { customerId: caller.userId, websiteId: store.websiteId });
    return [];
  },
});

/** Adds store credit to a wallet (spec 4.11). Answers the ledger entry, which names the caller. */
const creditWallet = route({
  method: 'POST',
  path: '/V1/vendor-store-credit/credit',
  acl: 'Vendor_StoreCredit::balance_adjust',
  summary: 'Give a customer store credit',
  name: 'creditWallet',
  description: `Adds to the wallet, in the website’s base currency. With \`idempotencyKey\` in the body a repeat
    answers the first entry and writes nothing. Without one, each call gives again.`,
  outcomes: [
    unknownCustomerOrWebsite,
    walletOfOtherWebsite,
    amountNotPositive,
    adjustmentReasonRequired,
    balanceCurrencyMismatch,
    finerThanACoin,
    balanceTooHigh,
  ],
  body: entryPayload,
  response: entryAnswer,

  handle: async ({ em, body, caller, setHeader }) =>
    renderEntry(await addEntry(em, newEntry('credit', body, caller), () => markReplayed({ setHeader }))),
});

/**
 * Takes store credit out of a wallet, at most its balance (spec 4.11). Answers the ledger entry, which names the
 * caller.
 */
const debitWallet = route({
  method: 'POST',
  path: '/V1/vendor-store-credit/debit',
  acl: 'Vendor_StoreCredit::balance_adjust',
  summary: 'Take store credit from a customer',
  name: 'debitWallet',
  description: `Takes from the wallet, never more than is in it. With \`idempotencyKey\` in the body a repeat
    answers the first entry and writes nothing. Without one, each call takes again.`,
  outcomes: [
    unknownCustomerOrWebsite,
    walletOfOtherWebsite,
    amountNotPositive,
    balanceBelowZero,
    adjustmentReasonRequired,
    balanceCurrencyMismatch,
    finerThanACoin,
  ],
  body: entryPayload,
  response: entryAnswer,

  handle: async ({ em, body, caller, setHeader }) =>
    renderEntry(await addEntry(em, newEntry('debit', body, caller), () => markReplayed({ setHeader }))),
});

/** A customer's store credit on a website (spec 4.11); zero before the first entry. */
const getBalance = route({
  method: 'GET',
  path: '/V1/vendor-store-credit/balance/:customerId/:websiteId',
  acl: 'Vendor_StoreCredit::balance_view',
  summary: "A customer's store credit",
  name: 'getStoreCreditBalance',
  description: 'In the website’s base currency; zero where nothing was ever booked.',
  outcomes: [unknownCustomerOrWebsite, walletOfOtherWebsite],
  params: z.object({ customerId: idParam, websiteId: idParam }),
  response: balanceAnswer,

  handle: async ({ em, params }) => renderBalance(await findBalance(em, params.customerId, params.websiteId)),
});

/**
 * How much store credit the calling customer's cart can use: the balance, at most the cart's total (spec 4.11; the
 * shape is our choice).
 */
const getCartCredit = route({
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

/** The store credit of the calling customer (spec 4.11); only the token says who that is. */
const getOwnBalance = route({
  method: 'GET',
  path: '/V1/vendor-store-credit/mine/balance/:websiteId',
  acl: 'self',
  summary: "The calling customer's store credit",
  name: 'getOwnStoreCreditBalance',
  description: 'Whose balance it is comes from the token. In the website’s base currency.',
  outcomes: [unknownEntity('No website has this id.'), walletOfOtherWebsite],
  params: z.object({ websiteId: idParam }),
  response: balanceAnswer,

  handle: async ({ em, params, caller }) => renderBalance(await findBalance(em, caller.userId, params.websiteId)),
});

/**
 * A customer's ledger on every website, newest first, in the envelope of the platform's lists. `searchCriteria` is
 * optional (spec 4.11; envelope and paging are our choice).
 */
const listHistory = route({
  method: 'GET',
  path: '/V1/vendor-store-credit/history/:customerId',
  acl: 'Vendor_StoreCredit::balance_view',
  summary: "A customer's store credit, entry by entry",
  name: 'listStoreCreditHistory',
  description: `Every entry of the customer’s wallets, newest first, on all websites. \`searchCriteria\` may be left
    out.`,
  outcomes: [unknownEntity('No customer has this id.'), attributeNameNotValid],
  params: z.object({ customerId: idParam }),
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(entryAnswer),

  async handle({ em, params, query }) {
    const { rows, totalCount } = await searchHistory(em, params.customerId, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderEntry), totalCount);
  },
});

/** Removes store credit from the calling customer's cart; no money moves (spec 4.11). */
const removeCartCredit = route({
  method: 'POST',
  path: '/V1/carts/mine/store-credit/remove',
  acl: 'self',
  summary: "Take store credit off the calling customer's cart",
  name: 'removeCartCredit',
  description: 'No money moves. It needs no body. A repeat changes nothing.',
  outcomes: [noActiveCart],
  response: voidAnswer,

  async handle({ em, caller, store }): Promise<[]> {
    await removeFromCart(em, { customerId: caller.userId, websiteId: store.websiteId });
    return [];
  },
});

/** The store-credit wallet (spec 4.11), its part of the one list of every route. */
export const storeCreditRoutes: readonly AnyRoute[] = [
  getBalance,
  listHistory,
  creditWallet,
  debitWallet,
  adjustWallet,
  getOwnBalance,
  getCartCredit,
  applyCartCredit,
  removeCartCredit,
];
