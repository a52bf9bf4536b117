import { z } from 'zod';
import { saveCart } from '../../../db/platform/carts/save-cart.ts';
import { invalid, invalidInput } from '../../../domain/errors.ts';
import { buyerErrors } from '../../../domain/platform/customers/customer-errors.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { growing, idParam, text, voidAnswer } from '../../wire/schemas.ts';
import { ofAnotherStore } from './assign-cart.ts';
import { ownDoor } from './cart-door.ts';

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

const notYours = 'Invalid state change requested';

/** Saves the calling customer's cart (platform facts 11): who buys, and in which store view. */
export const saveOwnCart = route({
  method: 'PUT',
  path: ownDoor.path,
  acl: ownDoor.acl,
  name: 'saveOwnCart',
  summary: "Save the calling customer's cart",
  description: `Keeps the name and the e-mail of \`customer\` for this cart and its order; the account keeps its own. \`customer.id\` is
the caller. The lines, the addresses, the coupon and the payment have routes of their own: here they are read over. A repeat
changes nothing.`,
  outcomes: [
    ownDoor.missing,
    unknownEntity('The id is that of another cart.'),
    ofAnotherStore,
    { status: 400, message: notYours, when: '`customer.id` is not the caller.' },
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
    if (customer?.id !== caller.userId) throw invalid(notYours);
    const { email, firstname, middlename, lastname } = customer;
    const buyer = { email, firstname, middlename, lastname };
    const faults = buyerErrors(buyer);
    if (faults.length > 0) throw invalidInput(faults);
    await saveCart(em, ownDoor.keyOf({ caller, store, params: { cartId: undefined } }), { quoteId, storeId, ...buyer });
    return [];
  },
});
