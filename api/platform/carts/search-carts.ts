import { z } from 'zod';
import { priceCart } from '../../../db/platform/carts/price-cart.ts';
import { readCart } from '../../../db/platform/carts/read-cart.ts';
import { mostCarts, searchCarts } from '../../../db/platform/carts/search-carts.ts';
import { route } from '../../http/route.ts';
import { listAnswer } from '../../wire/schemas.ts';
import { listOfOne, renderList, searchCriteria, unknownField } from '../../wire/search-criteria.ts';
import { cartAnswer } from './cart-answer.ts';
import { anyDoor } from './cart-door.ts';
import { exampleCart } from './cart-words.ts';
import { renderCart } from './render-cart.ts';

/** Searches carts by `searchCriteria`, also those that have become orders (platform facts 3, 11). */
export const searchCartsRoute = route({
  method: 'GET',
  path: '/V1/carts/search',
  acl: anyDoor.acl,
  name: 'searchCarts',
  summary: 'Search carts',
  description: `Active ones and those that have become orders. Each is answered as when it is read, so a page has at most ${mostCarts};
without \`page_size\` the first ${mostCarts} are answered.`,
  outcomes: [
    unknownField,
    { status: 400, message: 'Maximum SearchCriteria pageSize is %max', when: `\`page_size\` is above ${mostCarts}.` },
  ],
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
