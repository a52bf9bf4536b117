import { z } from 'zod';
import { openCart } from '../../../db/platform/carts/open-cart.ts';
import { route } from '../../http/route.ts';
import { ownerOf } from './cart-wiring.ts';

/** Opens a cart for the calling customer, or answers the id of the one there is (platform facts 11). */
export const createCart = route({
  method: 'POST',
  path: '/V1/carts/mine',
  acl: 'self',
  summary: 'Open a cart for the calling customer',
  name: 'createCart',
  description: 'Answers the id of a new cart, or of the one there is. The store view of the path decides its currency.',
  outcomes: [],
  response: z.int(),

  handle: ({ em, caller, store }) => openCart(em, { ...ownerOf({ caller, store }), storeId: store.storeId }),
});
