import { z } from 'zod';
import { selectPayment, setPayment } from '../../../db/platform/carts/place-cart.ts';
import { findQuote } from '../../../db/platform/carts/find-quote.ts';
import { findPricedCart, type PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { requireEntryOf, setShipping } from '../../../db/platform/carts/save-cart-address.ts';
import { paymentMethods } from '../../../domain/platform/carts/shop-choices.ts';
import {
  carrierNotFound,
  cartHasNoProducts,
  cartIsVirtual,
  cartWorthTooMuch,
  customerAddressNotFound,
  paymentMethodNotAvailable,
  shippingAddressMissing,
  shippingForEmptyCart,
} from '../../../domain/refusals/sales.ts';
import { done, route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { payload, recordId, text, voidAnswer } from '../../wire/schemas.ts';
import { paymentInformationOf, paymentMethodPayload, toPaymentInformation, type CartAccess } from './cart-access.ts';
import {
  badAddress,
  exampleMethod,
  examplePayments,
  exampleTotals,
  renderShippingMethods,
  sentAddress,
  shippingMethodAnswer,
} from './cart-words.ts';
import type { CartWiring } from './place-cart.ts';
import { renderTotals, totalsAnswer } from './render-totals.ts';
import { cartAddressPayload, toCartAddress } from './cart-address.ts';

const paymentMethodAnswer = z.object({ code: z.string(), title: z.string() }).meta({ id: 'PaymentMethod' });

/** How a cart can be paid, and what it comes to. */
const paymentAnswer = z
  .object({ payment_methods: z.array(paymentMethodAnswer), totals: totalsAnswer })
  .meta({ id: 'CartPaymentInformation' });

const renderPaymentMethods = ({ settings, toPay }: PricedCart) => paymentMethods(settings, toPay.baseAmount);

const renderPaymentInformation = (priced: PricedCart): z.input<typeof paymentAnswer> => ({
  payment_methods: renderPaymentMethods(priced),
  totals: renderTotals(priced),
});

const selectedAnswer = z.object({
  po_number: z.string().nullable(),
  method: z.string(),
  additional_data: z.array(z.string()),
});

/**
 * The payment methods of a cart; only `free` when nothing is left to pay (platform facts 11). Refused with: 404 no
 * active cart.
 */
const listPaymentMethods = ({ path, acl, keyOf, ...access }: CartAccess, { sources }: CartWiring) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/payment-methods`,
    name: `listPaymentMethodsOf${access.kind}`,
    summary: `How ${access.whose} can be paid`,
    description: 'Offline methods only: no gateway is charged from here. `free` alone where nothing is left to pay.',
    outcomes: [access.missing, cartWorthTooMuch],
    examples: [{ title: 'One way', params: access.example, response: examplePayments }],
    params: z.object({ cartId: access.cartId }),
    response: z.array(paymentMethodAnswer),

    handle: async (call) =>
      renderPaymentMethods(await findPricedCart(call.em, keyOf(call), { sources, now: call.now })),
  });

/** The payment methods of a cart, and its totals (platform facts 11). Refused with: 404 no active cart. */
const getPaymentInformation = ({ path, acl, keyOf, ...access }: CartAccess, { sources }: CartWiring) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/payment-information`,
    name: `getPaymentInformationOf${access.kind}`,
    summary: `Payment methods and totals of ${access.whose}`,
    description: 'Both lists at once, as of now.',
    outcomes: [access.missing, cartWorthTooMuch],
    examples: [
      {
        title: 'Two mugs',
        params: access.example,
        response: { payment_methods: examplePayments, totals: exampleTotals },
      },
    ],
    params: z.object({ cartId: access.cartId }),
    response: paymentAnswer,

    handle: async (call) =>
      renderPaymentInformation(await findPricedCart(call.em, keyOf(call), { sources, now: call.now })),
  });

/**
 * Sets how a cart will be paid, without placing an order (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products · 400 an address the country's rules refuse.
 */
const setPaymentInformation = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/set-payment-information`,
    name: `setPaymentInformationOf${access.kind}`,
    summary: `Say how ${access.whose} will be paid`,
    description: 'No order is placed. Whether it can be paid so is asked when it is. A repeat changes nothing.',
    outcomes: [access.missing, cartHasNoProducts, customerAddressNotFound, badAddress],
    examples: [
      {
        title: 'By cheque',
        params: access.example,
        body: {
          ...(access.kind === 'GuestCart' ? { email: 'ann@example.com' } : {}),
          ...{ paymentMethod: { method: 'checkmo' }, billingAddress: sentAddress },
        },
        response: true,
      },
    ],
    params: z.object({ cartId: access.cartId }),
    body: paymentInformationOf(access),
    response: z.literal(true),

    handle: (call) => done(setPayment(call.em, keyOf(call), toPaymentInformation(call.body))),
  });

/**
 * The chosen payment method of a cart; an empty list before it is chosen (platform facts 11). Refused with: 404 no
 * active cart.
 */
const getSelectedPayment = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/selected-payment-method`,
    name: `getSelectedPaymentMethodOf${access.kind}`,
    summary: `How ${access.whose} is to be paid`,
    description: 'What was chosen; an empty list as long as nothing was.',
    outcomes: [access.missing],
    examples: [
      {
        title: 'By cheque',
        params: access.example,
        response: { po_number: null, method: 'checkmo', additional_data: [] },
      },
    ],
    params: z.object({ cartId: access.cartId }),
    response: z.union([selectedAnswer, voidAnswer]),

    async handle(call): Promise<z.input<typeof selectedAnswer> | []> {
      const { paymentMethod = null, poNumber = null } = await findQuote(call.em, keyOf(call));
      return paymentMethod === null ? [] : { po_number: poNumber, method: paymentMethod, additional_data: [] };
    },
  });

/**
 * Chooses the payment method of a cart (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart · 400 a method that is not offered for it, no shipping address.
 */
const setSelectedPayment = ({ path, acl, keyOf, ...access }: CartAccess, { sources }: CartWiring) =>
  route({
    ...{ method: 'PUT', acl },
    path: `${path}/selected-payment-method`,
    name: `setSelectedPaymentMethodOf${access.kind}`,
    summary: `Choose how ${access.whose} is to be paid`,
    description: 'Answers the id of the choice, which is the id of the cart. A repeat changes nothing.',
    outcomes: [
      access.missing,
      paymentMethodNotAvailable,
      shippingAddressMissing.because('The cart has goods to ship, but no shipping address yet.'),
    ],
    examples: [{ title: 'By cheque', params: access.example, body: { method: { method: 'checkmo' } }, response: 7 }],
    params: z.object({ cartId: access.cartId }),
    body: z.object({ method: paymentMethodPayload }),
    response: z.int(),

    handle: (call) => {
      const { method, poNumber } = call.body.method;
      return selectPayment(call.em, keyOf(call), { method, poNumber, sources, now: call.now });
    },
  });

/** Routes of a cart's payment. */
export const cartPaymentRoutes = (access: CartAccess, wiring: CartWiring): readonly AnyRoute[] => [
  listPaymentMethods(access, wiring),
  getPaymentInformation(access, wiring),
  setPaymentInformation(access),
  getSelectedPayment(access),
  setSelectedPayment(access, wiring),
];

const noAddress: Outcome = shippingAddressMissing.because('The cart has no shipping address yet.');

/**
 * The ways to ship a cart to its address; an empty list for an empty or a virtual cart (platform facts 11). Refused
 * with: 404 no active cart · 400 no shipping address.
 */
const listShippingMethods = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/shipping-methods`,
    name: `listShippingMethodsOf${access.kind}`,
    summary: `How ${access.whose} can be shipped`,
    description: "Amounts are without tax, `amount` in the cart's currency. Empty for what is not shipped.",
    outcomes: [access.missing, noAddress, cartWorthTooMuch],
    examples: [{ title: 'One way', params: access.example, response: [exampleMethod] }],
    params: z.object({ cartId: access.cartId }),
    response: z.array(shippingMethodAnswer),

    async handle(call) {
      const priced = await findPricedCart(call.em, keyOf(call), { sources: [], now: call.now });
      const { lines, isVirtual, shipping } = priced.cart;
      if (lines.length > 0 && !isVirtual && !shipping) throw shippingAddressMissing();
      return renderShippingMethods(priced);
    },
  });

/**
 * The ways to ship a cart to a given address, which is not stored (platform facts 11). Refused with: 404 no active
 * cart.
 */
const estimateShipping = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/estimate-shipping-methods`,
    name: `estimateShippingOf${access.kind}`,
    summary: `How ${access.whose} could be shipped to an address`,
    description: 'Nothing is kept of the address. Amounts are as in the list of shipping methods.',
    outcomes: [access.missing, cartWorthTooMuch],
    examples: [{ title: 'To Troy', params: access.example, body: { address: sentAddress }, response: [exampleMethod] }],
    params: z.object({ cartId: access.cartId }),
    body: z.object({ address: cartAddressPayload }),
    response: z.array(shippingMethodAnswer),

    handle: async (call) =>
      renderShippingMethods(await findPricedCart(call.em, keyOf(call), { sources: [], now: call.now })),
  });

/**
 * The same for an address of the customer's book. Refused with: 404 no active cart, an unknown entry of this customer.
 */
const estimateByAddressId = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/estimate-shipping-methods-by-address-id`,
    name: `estimateShippingToEntryOf${access.kind}`,
    summary: `How ${access.whose} could be shipped to an entry of the address book`,
    description: 'The entry is one of the customer whose cart it is. Nothing is kept of it.',
    outcomes: [access.missing, customerAddressNotFound, cartWorthTooMuch],
    examples: [{ title: 'Home', params: access.example, body: { addressId: 1 }, response: [exampleMethod] }],
    params: z.object({ cartId: access.cartId }),
    body: z.object({ addressId: recordId }),
    response: z.array(shippingMethodAnswer),

    async handle(call) {
      const priced = await findPricedCart(call.em, keyOf(call), { sources: [], now: call.now });
      await requireEntryOf(call.em, priced.cart.customerId, call.body.addressId);
      return renderShippingMethods(priced);
    },
  });

const addressInformation = payload({
  shippingAddress: cartAddressPayload,
  billingAddress: cartAddressPayload.optional(),
  shippingMethodCode: text(120),
  shippingCarrierCode: text(120),
  extensionAttributes: z.unknown().optional(),
  customAttributes: z.unknown().optional(),
});

/**
 * Sets a cart's shipping address and its way to ship. Answers the payment methods and the totals (platform facts 11).
 * Safe to repeat.
 *
 * Refused with: 404 no active cart, a way to ship that is not offered, an entry of another customer's address book ·
 * 400 an empty or a virtual cart, an address the country's rules refuse.
 */
const setShippingInformation = ({ path, acl, keyOf, ...access }: CartAccess, { sources }: CartWiring) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/shipping-information`,
    name: `setShippingInformationOf${access.kind}`,
    summary: `Say where ${access.whose} goes, and how`,
    description: 'Answers the payment methods and the totals of the cart. A repeat changes nothing.',
    outcomes: [
      access.missing,
      carrierNotFound,
      customerAddressNotFound,
      badAddress,
      noAddress,
      cartIsVirtual,
      shippingForEmptyCart,
    ],
    examples: [
      {
        title: 'To Troy, at a flat rate',
        params: access.example,
        body: {
          addressInformation: {
            ...{ shipping_address: sentAddress, billing_address: sentAddress },
            ...{ shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' },
          },
        },
        response: { payment_methods: examplePayments, totals: exampleTotals },
      },
    ],
    params: z.object({ cartId: access.cartId }),
    body: z.object({ addressInformation }),
    response: paymentAnswer,

    async handle(call) {
      const { em, now } = call;
      const input = call.body.addressInformation;
      await setShipping(em, keyOf(call), {
        address: toCartAddress(input.shippingAddress),
        billingAddress: input.billingAddress && toCartAddress(input.billingAddress),
        carrierCode: input.shippingCarrierCode,
        methodCode: input.shippingMethodCode,
        now,
      });
      return renderPaymentInformation(await findPricedCart(em, keyOf(call), { sources, now }));
    },
  });

/** Routes of a cart's shipping. */
export const cartShippingRoutes = (access: CartAccess, wiring: CartWiring): readonly AnyRoute[] => [
  listShippingMethods(access),
  estimateShipping(access),
  ...(access.kind === 'GuestCart' ? [] : [estimateByAddressId(access)]),
  setShippingInformation(access, wiring),
];
