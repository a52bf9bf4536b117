import { z } from 'zod';
import { findCart, findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { selectPayment } from '../../../db/platform/carts/select-payment.ts';
import { setPayment } from '../../../db/platform/carts/set-payment.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { voidAnswer } from '../../wire/schemas.ts';
import type { CartDoor } from './cart-door.ts';
import type { CartWiring } from './cart-wiring.ts';
import { badAddress, empty, examplePayments, exampleTotals, foreignEntry, sentAddress, tooMuch } from './cart-words.ts';
import {
  paymentAnswer,
  paymentMethodAnswer,
  renderPaymentInformation,
  renderPaymentMethods,
} from './payment-answer.ts';
import { paymentInformationOf, paymentMethodPayload, toPaymentInformation } from './payment-method-payload.ts';

const selectedAnswer = z.object({
  po_number: z.string().nullable(),
  method: z.string(),
  additional_data: z.array(z.string()),
});

const notOffered: Outcome = {
  status: 400,
  message: 'The requested Payment Method is not available.',
  when: 'The shop does not offer it, or nothing is left to pay and it is not `free`.',
};

/**
 * The payment methods of a cart; only `free` when nothing is left to pay (platform facts 11). Refused with: 404 no
 * active cart.
 */
const listPaymentMethods = ({ path, acl, keyOf, ...door }: CartDoor, { sources }: CartWiring) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/payment-methods`,
    name: `listPaymentMethodsOf${door.kind}`,
    summary: `How ${door.whose} can be paid`,
    description: 'Offline methods only: no gateway is charged from here. `free` alone where nothing is left to pay.',
    outcomes: [door.missing, tooMuch],
    examples: [{ title: 'One way', params: door.example, response: examplePayments }],
    params: z.object({ cartId: door.cartId }),
    response: z.array(paymentMethodAnswer),

    handle: async (call) =>
      renderPaymentMethods(await findPricedCart(call.em, keyOf(call), { sources, now: call.now })),
  });

/** The payment methods of a cart, and its totals (platform facts 11). Refused with: 404 no active cart. */
const getPaymentInformation = ({ path, acl, keyOf, ...door }: CartDoor, { sources }: CartWiring) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/payment-information`,
    name: `getPaymentInformationOf${door.kind}`,
    summary: `Payment methods and totals of ${door.whose}`,
    description: 'Both lists at once, as of now.',
    outcomes: [door.missing, tooMuch],
    examples: [
      {
        title: 'Two mugs',
        params: door.example,
        response: { payment_methods: examplePayments, totals: exampleTotals },
      },
    ],
    params: z.object({ cartId: door.cartId }),
    response: paymentAnswer,

    handle: async (call) =>
      renderPaymentInformation(await findPricedCart(call.em, keyOf(call), { sources, now: call.now })),
  });

/**
 * Sets how a cart will be paid, without placing an order (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products · 400 an address the country's rules refuse.
 */
const setPaymentInformation = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/set-payment-information`,
    name: `setPaymentInformationOf${door.kind}`,
    summary: `Say how ${door.whose} will be paid`,
    description: 'No order is placed. Whether it can be paid so is asked when it is. A repeat changes nothing.',
    outcomes: [door.missing, empty, foreignEntry, badAddress],
    examples: [
      {
        title: 'By cheque',
        params: door.example,
        body: {
          ...(door.kind === 'GuestCart' ? { email: 'ann@example.com' } : {}),
          ...{ paymentMethod: { method: 'checkmo' }, billingAddress: sentAddress },
        },
        response: true,
      },
    ],
    params: z.object({ cartId: door.cartId }),
    body: paymentInformationOf(door),
    response: z.literal(true),

    async handle(call) {
      await setPayment(call.em, keyOf(call), toPaymentInformation(call.body));
      return true as const;
    },
  });

/**
 * The chosen payment method of a cart; an empty list before it is chosen (platform facts 11). Refused with: 404 no
 * active cart.
 */
const getSelectedPayment = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/selected-payment-method`,
    name: `getSelectedPaymentMethodOf${door.kind}`,
    summary: `How ${door.whose} is to be paid`,
    description: 'What was chosen; an empty list as long as nothing was.',
    outcomes: [door.missing],
    examples: [
      {
        title: 'By cheque',
        params: door.example,
        response: { po_number: null, method: 'checkmo', additional_data: [] },
      },
    ],
    params: z.object({ cartId: door.cartId }),
    response: z.union([selectedAnswer, voidAnswer]),

    async handle(call): Promise<z.input<typeof selectedAnswer> | []> {
      const { paymentMethod, poNumber } = await findCart(call.em, keyOf(call));
      return paymentMethod === null ? [] : { po_number: poNumber, method: paymentMethod, additional_data: [] };
    },
  });

/**
 * Chooses the payment method of a cart (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart · 400 a method that is not offered for it, no shipping address.
 */
const setSelectedPayment = ({ path, acl, keyOf, ...door }: CartDoor, { sources }: CartWiring) =>
  route({
    ...{ method: 'PUT', acl },
    path: `${path}/selected-payment-method`,
    name: `setSelectedPaymentMethodOf${door.kind}`,
    summary: `Choose how ${door.whose} is to be paid`,
    description: 'Answers the id of the choice, which is the id of the cart. A repeat changes nothing.',
    outcomes: [
      door.missing,
      notOffered,
      {
        status: 400,
        message: 'The shipping address is missing. Set the address and try again.',
        when: 'The cart has goods to ship, but no shipping address yet.',
      },
    ],
    examples: [{ title: 'By cheque', params: door.example, body: { method: { method: 'checkmo' } }, response: 7 }],
    params: z.object({ cartId: door.cartId }),
    body: z.object({ method: paymentMethodPayload }),
    response: z.int(),

    handle: (call) => {
      const { method, poNumber } = call.body.method;
      return selectPayment(call.em, keyOf(call), { method, poNumber, sources, now: call.now });
    },
  });

/** Routes of a cart's payment. */
export const cartPaymentRoutes = (door: CartDoor, wiring: CartWiring): readonly AnyRoute[] => [
  listPaymentMethods(door, wiring),
  getPaymentInformation(door, wiring),
  setPaymentInformation(door),
  getSelectedPayment(door),
  setSelectedPayment(door, wiring),
];
