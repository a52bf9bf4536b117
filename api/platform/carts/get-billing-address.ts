import { findCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { cartAddressAnswer, renderCartAddress } from './cart-address-answer.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** Where the calling customer's cart is billed to, as far as it is known. */
export const getBillingAddress = route({
  method: 'GET',
  path: '/V1/carts/mine/billing-address',
  acl: 'self',
  summary: "Where the calling customer's cart is billed to",
  name: 'getBillingAddress',
  description: 'As far as it is known.',
  outcomes: [noActiveCart],
  response: cartAddressAnswer,

  async handle({ em, caller, store }) {
    const { billing, customerId, customer } = await findCart(em, ownerOf({ caller, store }));
    return renderCartAddress(billing, { customerId, email: customer.email });
  },
});
