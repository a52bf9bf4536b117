import { z } from 'zod';
import { findCartId, noSuchCart, type CartKey } from '../../../db/platform/carts/lock-cart.ts';
import { priceCart } from '../../../db/platform/carts/price-cart.ts';
import { readCart } from '../../../db/platform/carts/read-cart.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { cartAnswer } from './cart-answer.ts';
import type { CartDoor } from './cart-door.ts';
import { exampleCart, tooMuch } from './cart-words.ts';
import { renderCart } from './render-cart.ts';

/**
 * A cart (platform facts 11). An administrator can also read one that has become an order. Refused with: 404 no such cart
 * · 400 a total too large for an amount.
 */
export const getCart = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'GET', acl, path },
    name: `get${door.kind}`,
    summary: `Read ${door.whose}`,
    description: `With its lines, its addresses and its currencies. Its totals are in \`…/totals\`. A cart that has become an order
is still found by its id: then \`is_active\` is false, and \`orig_order_id\` is the order's id.`,
    outcomes: [unknownEntity('There is no such cart.'), tooMuch],
    examples: [{ title: 'Two mugs', params: door.example, response: exampleCart }],
    params: z.object({ cartId: door.cartId }),
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
