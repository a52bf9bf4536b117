import { z } from 'zod';
import { findCartId, noSuchCart, readCart, saveCart, type CartKey } from '../../../db/platform/carts/carts.ts';
import { setCoupon } from '../../../db/platform/carts/place-cart.ts';
import { findQuote } from '../../../db/platform/carts/find-quote.ts';
import { findCart, priceCart, type PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { mostCarts, searchCarts, setBillingAddress as save } from '../../../db/platform/carts/save-cart-address.ts';
import { none, plus, quantityToWire } from '../../../domain/money.ts';
import { buyerErrors } from '../../../domain/platform/customers.ts';
import { stateChangeNotValid } from '../../../domain/refusals/documents.ts';
import { attributeNameNotValid, pageTooLarge, invalidInput } from '../../../domain/refusals/platform.ts';
import {
  cartHasNoProducts,
  cartOfOtherStore,
  cartWorthTooMuch,
  couponNotValid,
  customerAddressNotFound,
} from '../../../domain/refusals/sales.ts';
import { done, route, type AnyRoute } from '../../http/route.ts';
import { listOfOne, renderList, searchCriteria, toStockDate } from '../../wire/criteria.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { flag, growing, idParam, listAnswer, text, voidAnswer } from '../../wire/schemas.ts';
import { anyAccess, assignCartRoutes, guestAccess, openCartRoutes, ownAccess, type CartAccess } from './cart-access.ts';
import { cartItemRoutes } from './cart-items.ts';
import { cartPaymentRoutes, cartShippingRoutes } from './cart-payment.ts';
import { badAddress, exampleCart, exampleCartAddress, sentAddress } from './cart-words.ts';
import { cartTotalsRoutes, placeCartRoutes, type CartWiring } from './place-cart.ts';
import { cartAnswer, renderCartItems } from './render-totals.ts';
import { cartAddressAnswer, cartAddressPayload, renderCartAddress, toCartAddress } from './cart-address.ts';

/** A cart's billing address, as far as it is known. Refused with: 404 no active cart. */
const getBillingAddress = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/billing-address`,
    name: `getBillingAddressOf${access.kind}`,
    summary: `Where ${access.whose} is billed to`,
    description: 'Before one is set it is an address with empty fields, as on the platform.',
    outcomes: [access.missing],
    examples: [{ title: 'In Troy', params: access.example, response: exampleCartAddress }],
    params: z.object({ cartId: access.cartId }),
    response: cartAddressAnswer,

    async handle(call) {
      const { billing, customerId, customer } = await findCart(call.em, keyOf(call));
      return renderCartAddress(billing, { customerId, email: customer.email });
    },
  });

/**
 * Sets a cart's billing address, with `useForShipping` also its shipping address (platform facts 11). Answers the
 * address's id. Safe to repeat.
 *
 * Refused with: 404 no active cart, an entry of another customer's address book · 400 an address the country's rules
 * refuse.
 */
const setBillingAddress = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/billing-address`,
    name: `setBillingAddressOf${access.kind}`,
    summary: `Say where ${access.whose} is billed to`,
    description: `In place of the address before; with \`useForShipping\` it is shipped there, too. With
\`save_in_address_book\` the
customer's address book gets it when the order is placed. A repeat changes nothing.`,
    outcomes: [access.missing, customerAddressNotFound, badAddress],
    examples: [
      { title: 'In Troy', params: access.example, body: { address: sentAddress, useForShipping: true }, response: 5 },
    ],
    params: z.object({ cartId: access.cartId }),
    body: z.object({ address: cartAddressPayload, useForShipping: flag.default(false) }),
    response: z.int(),

    handle: (call) =>
      save(call.em, keyOf(call), {
        address: toCartAddress(call.body.address),
        isShippedThere: call.body.useForShipping,
      }),
  });

/** Routes of a cart's billing address. */
const cartBillingRoutes = (access: CartAccess): readonly AnyRoute[] => [
  getBillingAddress(access),
  setBillingAddress(access),
];

/** The coupon of a cart; an empty list without one. Refused with: 404 no active cart. */
const getCoupon = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/coupons`,
    name: `getCouponOf${access.kind}`,
    summary: `The coupon of ${access.whose}`,
    description: 'The code that was entered; an empty list without one.',
    outcomes: [access.missing],
    examples: [{ title: 'Ten percent off', params: access.example, response: 'TENOFF' }],
    params: z.object({ cartId: access.cartId }),
    response: z.union([z.string(), voidAnswer]),

    async handle(call): Promise<string | []> {
      const { couponCode } = await findQuote(call.em, keyOf(call));
      return couponCode ?? [];
    },
  });

/**
 * Enters a coupon into a cart, replacing the previous one (platform facts 9.4, 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products, a code that is not valid for this buyer now.
 */
const enterCoupon = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'PUT', acl },
    path: `${path}/coupons/:couponCode`,
    name: `enterCouponInto${access.kind}`,
    summary: `Enter a coupon into ${access.whose}`,
    description:
      'In place of the one before. It counts as used when the order is placed, not before. A repeat changes nothing.',
    outcomes: [
      access.missing,
      cartHasNoProducts,
      couponNotValid.because('The code is unknown, used up, or not valid for this buyer, this website or this day.'),
    ],
    examples: [{ title: 'Ten percent off', params: { ...access.example, couponCode: 'TENOFF' }, response: true }],
    params: z.object({ cartId: access.cartId, couponCode: text(255) }),
    response: z.literal(true),

    handle: (call) => done(setCoupon(call.em, keyOf(call), { code: call.params.couponCode, now: call.now })),
  });

/** Removes the coupon of a cart. Safe to repeat. Refused with: 404 no active cart, a cart without products. */
const removeCoupon = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'DELETE', acl },
    path: `${path}/coupons`,
    name: `removeCouponFrom${access.kind}`,
    summary: `Take the coupon out of ${access.whose}`,
    description: 'A repeat changes nothing.',
    outcomes: [access.missing, cartHasNoProducts],
    examples: [{ title: 'Gone', params: access.example, response: true }],
    params: z.object({ cartId: access.cartId }),
    response: z.literal(true),

    handle: (call) => done(setCoupon(call.em, keyOf(call), { code: null, now: call.now })),
  });

/** Routes of a cart's coupon. */
const cartCouponRoutes = (access: CartAccess): readonly AnyRoute[] => [
  getCoupon(access),
  enterCoupon(access),
  removeCoupon(access),
];

/** The only tax class of customers (platform facts 8). */
const customerTaxClassId = 3;

/** A cart with the platform's keys; without an order its order id is 0. */
function renderCart(priced: PricedCart): z.input<typeof cartAnswer> {
  const { cart } = priced;
  const items = renderCartItems(priced);
  const owner = { customerId: cart.customerId, email: cart.customer.email };
  return {
    id: cart.quoteId,
    created_at: toStockDate(cart.createdAt),
    updated_at: toStockDate(cart.updatedAt),
    is_active: cart.isActive,
    is_virtual: cart.isVirtual,
    items,
    items_count: items.length,
    items_qty: quantityToWire(plus(none, ...cart.lines.map((line) => line.qty))),
    customer: {
      ...(cart.customerId === null ? {} : { id: cart.customerId }),
      group_id: cart.customer.groupId,
      email: cart.customer.email,
      firstname: cart.customer.firstname,
      ...(cart.customer.middlename === null ? {} : { middlename: cart.customer.middlename }),
      lastname: cart.customer.lastname,
      store_id: cart.customer.storeId,
      website_id: cart.websiteId,
    },
    billing_address: renderCartAddress(cart.billing, owner),
    orig_order_id: cart.orderId ?? 0,
    currency: {
      global_currency_code: cart.baseCurrencyCode,
      base_currency_code: cart.baseCurrencyCode,
      store_currency_code: cart.baseCurrencyCode,
      quote_currency_code: cart.currencyCode,
      store_to_base_rate: 1,
      store_to_quote_rate: Number(cart.currencyRate),
      base_to_global_rate: 1,
      base_to_quote_rate: Number(cart.currencyRate),
    },
    customer_is_guest: cart.customerId === null,
    customer_note_notify: true,
    customer_tax_class_id: customerTaxClassId,
    store_id: cart.storeId,
    extension_attributes: {
      shipping_assignments: cart.isVirtual
        ? []
        : [{ shipping: { address: renderCartAddress(cart.shipping, owner), method: cart.shippingMethod }, items }],
    },
  };
}

/**
 * A cart (platform facts 11). An administrator can also read one that has become an order. Refused with: 404 no such
 * cart · 400 a total too large for an amount.
 */
const getCart = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'GET', acl, path },
    name: `get${access.kind}`,
    summary: `Read ${access.whose}`,
    description: `With its lines, its addresses and its currencies. Its totals are in \`…/totals\`. A cart that has
      become an order
is still found by its id: then \`is_active\` is false, and \`orig_order_id\` is the order's id.`,
    outcomes: [unknownEntity('There is no such cart.'), cartWorthTooMuch],
    examples: [{ title: 'Two mugs', params: access.example, response: exampleCart }],
    params: z.object({ cartId: access.cartId }),
    response: cartAnswer,

    async handle(call) {
      const key = keyOf(call);
      const quoteId = await idOf(call.em, key);
      return renderCart(await priceCart(call.em, await readCart(call.em, quoteId), { sources: [], now: call.now }));
    },
  });

/** An id finds every cart, the other keys only active ones. */
async function idOf(em: Parameters<typeof findCartId>[0], key: CartKey): Promise<number> {
  const quoteId = 'quoteId' in key ? key.quoteId : await findCartId(em, key);
  if (quoteId === undefined) throw noSuchCart(key);
  return quoteId;
}

const cartWords = growing({
  id: idParam.optional(),
  storeId: idParam.optional(),
  customer: growing({
    id: idParam.optional(),
    email: text(255).optional(),
    firstname: text(255).optional(),
    middlename: text(255).optional(),
    lastname: text(255).optional(),
  }).optional(),
});

/** Saves the calling customer's cart (platform facts 11): who buys, and in which store view. */
const saveOwnCart = route({
  method: 'PUT',
  path: ownAccess.path,
  acl: ownAccess.acl,
  name: 'saveOwnCart',
  summary: "Save the calling customer's cart",
  description: `Keeps the name and the e-mail of \`customer\` for this cart and its order; the account keeps its own.
\`customer.id\` is
the caller. The lines, the addresses, the coupon and the payment have routes of their own: here they are read over. A
repeat
changes nothing.`,
  outcomes: [
    ownAccess.missing,
    unknownEntity('The id is that of another cart.'),
    cartOfOtherStore,
    stateChangeNotValid,
    { status: 400, message: '"Email" is not a valid email address.', when: 'The e-mail is no address.' },
    { status: 400, message: 'First Name is not valid!', when: 'A name has characters that no name has.' },
  ],
  examples: [
    {
      title: 'Under another name',
      body: { quote: { id: 7, store_id: 1, customer: { id: 1, firstname: 'Ann', lastname: 'Lee' } } },
      response: [],
    },
  ],
  body: z.object({ quote: cartWords.describe('What is to be kept of the cart.') }),
  response: voidAnswer,

  async handle({ em, caller, store, body: { quote } }): Promise<[]> {
    const { id: quoteId, storeId, customer } = quote;
    if (customer?.id !== caller.userId) throw stateChangeNotValid();
    const { email, firstname, middlename, lastname } = customer;
    const buyer = { email, firstname, middlename, lastname };
    const faults = buyerErrors(buyer);
    if (faults.length > 0) throw invalidInput(faults);
    await saveCart(em, ownAccess.keyOf({ caller, store, params: { cartId: undefined } }), {
      quoteId,
      storeId,
      ...buyer,
    });
    return [];
  },
});

/** Searches carts by `searchCriteria`, also those that have become orders (platform facts 3, 11). */
const searchCartsRoute = route({
  method: 'GET',
  path: '/V1/carts/search',
  acl: anyAccess.acl,
  name: 'searchCarts',
  summary: 'Search carts',
  description: `Active ones and those that have become orders. Each is answered as when it is read, so a page has at
most ${mostCarts};
without \`page_size\` the first ${mostCarts} are answered.`,
  outcomes: [attributeNameNotValid, pageTooLarge.because(`\`page_size\` is above ${mostCarts}.`)],
  examples: [{ title: 'All', query: 'searchCriteria', response: listOfOne(exampleCart) }],
  query: z.object({ searchCriteria }),
  response: listAnswer(cartAnswer),

  async handle({ em, now, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await searchCarts(em, criteria);
    const items: z.input<typeof cartAnswer>[] = [];
    for (const { quote_id: quoteId } of rows)
      items.push(renderCart(await priceCart(em, await readCart(em, quoteId), { sources: [], now })));
    return renderList(criteria, items, totalCount);
  },
});

/**
 * Carts of customers, of guests, and of anybody for administrators (platform facts 11, 12.2): one core, three doors.
 */
export const cartRoutes = (wiring: CartWiring): readonly AnyRoute[] => [
  ...openCartRoutes,
  searchCartsRoute,
  ...assignCartRoutes,
  saveOwnCart,
  ...[ownAccess, guestAccess, anyAccess].flatMap((access) => routesBehind(access, wiring)),
];

const routesBehind = (access: CartAccess, wiring: CartWiring): readonly AnyRoute[] => [
  getCart(access),
  ...cartItemRoutes(access),
  ...cartTotalsRoutes(access, wiring),
  ...cartCouponRoutes(access),
  ...cartBillingRoutes(access),
  ...cartShippingRoutes(access, wiring),
  ...cartPaymentRoutes(access, wiring),
  ...placeCartRoutes(access, wiring),
];
