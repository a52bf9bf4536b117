import { z } from 'zod';
import type { CartKey } from '../../../db/platform/carts/carts.ts';
import { placeCart, type PaymentInformation } from '../../../db/platform/carts/place-cart.ts';
import { findCart, findPricedCart, methodOf, priceCart } from '../../../db/platform/carts/price-cart.ts';
import type { CartTenderSource } from '../../../db/platform/carts/promote-cart.ts';
import type { OrderHook } from '../../../db/platform/orders/saved-order.ts';
import { withRegion } from '../../../domain/platform/customers.ts';
import {
  cartHasNoProducts,
  cartIsEmptyForTotals,
  cartWorthTooMuch,
  couponNotValid,
  customerAddressNotFound,
  shippingAddressMissing,
  billingAddressMissing,
  shippingMethodMissing,
  paymentMethodMissing,
  paymentMethodNotAvailable,
  purchaseOrderNumberMissing,
  emailFormatWrong,
} from '../../../domain/refusals/sales.ts';
import type { Log } from '../../../providers/log.ts';
import { route, type AnyRoute, type Caller, type Outcome, type RouteContext } from '../../http/route.ts';
import { payload, text } from '../../wire/schemas.ts';
import { paymentInformationOf, paymentMethodPayload, toPaymentInformation, type CartAccess } from './cart-access.ts';
import { badAddress, changedOptions, exampleTotals, notForSale, sentAddress } from './cart-words.ts';
import { renderTotals, totalsAnswer } from './render-totals.ts';
import { cartAddressPayload, toCartAddress } from './cart-address.ts';

const refusals: readonly Outcome[] = [
  cartHasNoProducts,
  couponNotValid.because('The coupon of the cart is not good any more.', 'Take it out, or enter another.'),
  shippingAddressMissing.because('The cart has goods to ship, but no shipping address.'),
  billingAddressMissing.because('The cart has no billing address.'),
  shippingMethodMissing.because('None was chosen, or the shop does not offer it any more.'),
  paymentMethodMissing.because('None was chosen.'),
  paymentMethodNotAvailable.because('The shop does not offer it for this cart.'),
  purchaseOrderNumberMissing.because('The method is `purchaseorder`, without `po_number`.'),
  ...notForSale,
  ...changedOptions,
];

const description = `The cart becomes an order in one step: prices are worked out again, goods are promised, store
credit is spent, the coupon
counts as used. Answers the order's id. Once: a repeat finds no active cart. A refusal leaves all as it was.`;

/**
 * The two routes that make a cart an order (platform facts 11, 12.2). One takes the payment method with it; the other
 * can use the one chosen before. Both answer the order's id.
 *
 * A repeat finds no active cart and is refused. Refused with: 404 no active cart, a cart without products, a coupon
 * that is no longer valid · 400 missing data, goods that cannot be bought, store credit that was spent meanwhile.
 */
export function placeCartRoutes(access: CartAccess, { sources, hooksFor }: CartWiring): readonly AnyRoute[] {
  const place = ({ em, caller, now, log }: RouteContext, key: CartKey, payment: PaymentInformation) =>
    placeCart(em, { key, ...payment, hooks: hooksFor(log, caller), sources, now });
  const params = z.object({ cartId: access.cartId });
  const paymentMethod = { method: 'checkmo' };
  return [
    route({
      method: 'POST',
      path: `${access.path}/payment-information`,
      acl: access.acl,
      name: `pay${access.kind}`,
      summary: `Pay ${access.whose} and place the order`,
      description,
      outcomes: [
        access.missing,
        ...refusals,
        customerAddressNotFound,
        badAddress,
        emailFormatWrong.because('The e-mail is no address; a guest has to give one.'),
      ],
      examples: [
        {
          title: 'By cheque',
          params: access.example,
          body: {
            ...(access.kind === 'GuestCart' ? { email: 'ann@example.com' } : {}),
            ...{ paymentMethod, billingAddress: sentAddress },
          },
          response: 12,
        },
      ],
      params,
      body: paymentInformationOf(access),
      response: z.int(),

      handle: (call) => place(call, access.keyOf(call), toPaymentInformation(call.body)),
    }),
    route({
      method: 'PUT',
      path: `${access.path}/order`,
      acl: access.acl,
      name: `placeOrderOf${access.kind}`,
      summary: `Place the order of ${access.whose}`,
      description,
      outcomes: [
        access.missing,
        ...refusals,
        // A customer's e-mail is the account's.
        ...(access.kind === 'OwnCart'
          ? []
          : [emailFormatWrong.because('The cart is a guest’s, and has no e-mail yet.')]),
      ],
      examples: [{ title: 'By cheque', params: access.example, body: { paymentMethod }, response: 12 }],
      params,
      body: z.object({ paymentMethod: paymentMethodPayload.optional() }),
      response: z.int(),

      handle: (call) => place(call, access.keyOf(call), toPaymentInformation(call.body)),
    }),
  ];
}

/**
 * The current totals of a cart (platform facts 11). Refused with: 404 no active cart · 400 a total too large for an
 * amount.
 */
const getTotals = ({ path, acl, keyOf, ...access }: CartAccess, { sources }: CartWiring) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/totals`,
    name: `getTotalsOf${access.kind}`,
    summary: `What ${access.whose} comes to`,
    description: `Worked out when it is asked, in both currencies: \`base_…\` is the website's, the others are the
cart's. Discounts and
store credit are below zero. \`amount_to_pay\` is what store credit leaves of the grand total.`,
    outcomes: [access.missing, cartWorthTooMuch],
    examples: [{ title: 'Two mugs to Troy', params: access.example, response: exampleTotals }],
    params: z.object({ cartId: access.cartId }),
    response: totalsAnswer,

    handle: async (call) => renderTotals(await findPricedCart(call.em, keyOf(call), { sources, now: call.now })),
  });

const addressInformation = payload({
  address: cartAddressPayload,
  shippingMethodCode: text(120).optional(),
  shippingCarrierCode: text(120).optional(),
  extensionAttributes: z.unknown().optional(),
  customAttributes: z.unknown().optional(),
});

/**
 * The totals of a cart for a given address and way to ship (platform facts 11). Nothing is stored. Refused with: 404 no
 * active cart · 400 an empty cart, a total too large for an amount.
 */
const estimateTotals = ({ path, acl, keyOf, ...access }: CartAccess, { sources }: CartWiring) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/totals-information`,
    name: `estimateTotalsOf${access.kind}`,
    summary: `What ${access.whose} would come to at an address`,
    description: `With the taxes at the address, and the price of the way to ship. Our choice: nothing of it is kept. A
      way to ship that
the shop does not offer costs nothing here; it is refused when it is set.`,
    outcomes: [access.missing, cartWorthTooMuch, cartIsEmptyForTotals],
    examples: [
      {
        title: 'To Troy',
        params: access.example,
        body: {
          addressInformation: {
            ...{ address: sentAddress, shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' },
          },
        },
        response: exampleTotals,
      },
    ],
    params: z.object({ cartId: access.cartId }),
    body: z.object({ addressInformation }),
    response: totalsAnswer,

    async handle(call) {
      const {
        address,
        shippingCarrierCode: carrierCode,
        shippingMethodCode: methodCode,
      } = call.body.addressInformation;
      const cart = await findCart(call.em, keyOf(call));
      if (cart.lines.length === 0) throw cartIsEmptyForTotals();
      const { countryId, regionId, postcode } = withRegion(toCartAddress(address));
      const shippingMethod = carrierCode && methodCode ? methodOf({ carrierCode, methodCode }) : cart.shippingMethod;
      const place = countryId ? { countryId, regionId: regionId ?? null, postcode: postcode ?? null } : undefined;
      return renderTotals(await priceCart(call.em, { ...cart, shippingMethod }, { sources, now: call.now, place }));
    },
  });

/** Routes of a cart's totals. */
export const cartTotalsRoutes = (access: CartAccess, wiring: CartWiring): readonly AnyRoute[] => [
  getTotals(access, wiring),
  estimateTotals(access, wiring),
];

/** Hooks into carts: other tenders than money, and what happens when an order is placed. */
export interface CartWiring {
  sources: readonly CartTenderSource[];
  hooksFor: (log: Log, caller: Caller) => readonly OrderHook[];
}
