import { z } from 'zod';
import { findCart, findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { methodOf, priceCart } from '../../../db/platform/carts/price-cart.ts';
import { invalid } from '../../../domain/errors.ts';
import { withRegion } from '../../../domain/platform/customers/customer-draft.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { payload, text } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';
import type { CartDoor } from './cart-door.ts';
import type { CartWiring } from './cart-wiring.ts';
import { exampleTotals, sentAddress, tooMuch } from './cart-words.ts';
import { renderTotals } from './render-totals.ts';
import { totalsAnswer } from './totals-answer.ts';

/**
 * The current totals of a cart (platform facts 11). Refused with: 404 no active cart · 400 a total too large for an
 * amount.
 */
const getTotals = ({ path, acl, keyOf, ...door }: CartDoor, { sources }: CartWiring) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/totals`,
    name: `getTotalsOf${door.kind}`,
    summary: `What ${door.whose} comes to`,
    description: `Worked out when it is asked, in both currencies: \`base_…\` is the website's, the others are the cart's. Discounts and
store credit are below zero. \`amount_to_pay\` is what store credit leaves of the grand total.`,
    outcomes: [door.missing, tooMuch],
    examples: [{ title: 'Two mugs to Troy', params: door.example, response: exampleTotals }],
    params: z.object({ cartId: door.cartId }),
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
const estimateTotals = ({ path, acl, keyOf, ...door }: CartDoor, { sources }: CartWiring) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/totals-information`,
    name: `estimateTotalsOf${door.kind}`,
    summary: `What ${door.whose} would come to at an address`,
    description: `With the taxes at the address, and the price of the way to ship. Our choice: nothing of it is kept. A way to ship that
the shop does not offer costs nothing here; it is refused when it is set.`,
    outcomes: [
      door.missing,
      tooMuch,
      { status: 400, message: 'Totals calculation is not applicable to empty cart', when: 'Nothing is in the cart.' },
    ],
    examples: [
      {
        title: 'To Troy',
        params: door.example,
        body: {
          addressInformation: {
            ...{ address: sentAddress, shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' },
          },
        },
        response: exampleTotals,
      },
    ],
    params: z.object({ cartId: door.cartId }),
    body: z.object({ addressInformation }),
    response: totalsAnswer,

    async handle(call) {
      const {
        address,
        shippingCarrierCode: carrierCode,
        shippingMethodCode: methodCode,
      } = call.body.addressInformation;
      const cart = await findCart(call.em, keyOf(call));
      if (cart.lines.length === 0) throw invalid('Totals calculation is not applicable to empty cart');
      const { countryId, regionId, postcode } = withRegion(toCartAddress(address));
      const shippingMethod = carrierCode && methodCode ? methodOf({ carrierCode, methodCode }) : cart.shippingMethod;
      const place = countryId ? { countryId, regionId: regionId ?? null, postcode: postcode ?? null } : undefined;
      return renderTotals(await priceCart(call.em, { ...cart, shippingMethod }, { sources, now: call.now, place }));
    },
  });

/** Routes of a cart's totals. */
export const cartTotalsRoutes = (door: CartDoor, wiring: CartWiring): readonly AnyRoute[] => [
  getTotals(door, wiring),
  estimateTotals(door, wiring),
];
