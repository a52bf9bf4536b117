import { z } from 'zod';
import {
  deleteHeldCart,
  deleteHeldCartByUuid,
  findHeldCarts,
  findHeldCartsVersion,
  versionOf,
} from '../db/held-carts/hold-cart.ts';
import { isCartIdentity } from '../domain/held-carts.ts';
import { heldCartNotFound } from '../domain/refusals/register.ts';
import { hasTag } from './http/entity-tag.ts';
import { done, route } from './http/route.ts';
import { decimal, fieldsOf, moment, momentOrNull, orNull } from './wire/fields.ts';
import { invalidField } from './wire/outcomes.ts';
import { growing, idParam, integer, recordId, storedMoney, text } from './wire/schemas.ts';

/** Half of the largest body (our choice); a cart of a hundred lines is a tenth of it. */
const longestCart = 524_288;
const longestComment = 10_000;

/** The register's own name for a cart, as it was sent: a UUID, or another id of its client. */
const cartUuid = text(100).refine(isCartIdentity);

/** A cart that a register parks (spec 4.4). It grows by version: unknown keys are ignored. */
export const heldCartPayload = growing({
  locationId: recordId,
  cartUuid,
  cartData: text(longestCart),
  customerName: text(255).optional(),
  itemCount: integer.refine((count) => count >= 0).optional(),
  grandTotal: storedMoney.optional(),
  currencyCode: text(3).optional(),
  staffId: recordId.optional(),
  staffName: text(255).optional(),
  terminalId: recordId.optional(),
  holdComment: text(longestComment).optional(),
}).meta({ id: 'HeldCart' });

/** A held cart with its data (spec 2.8). */
export const { answer: heldCartAnswer, render: renderHeldCart } = fieldsOf(
  {
    held_cart_id: z.int(),
    location_id: z.int(),
    staff_id: z.int().nullable(),
    staff_name: z.string().nullable(),
    terminal_id: z.int().nullable(),
    cart_uuid: z.string(),
    cart_data: z.string(),
    customer_name: z.string().nullable(),
    item_count: z.int().nullable(),
    grand_total: orNull(decimal()),
    currency_code: z.string().nullable(),
    hold_comment: z.string().nullable(),
    recalled_by_staff_id: z.int().nullable(),
    recalled_at: momentOrNull(),
    created_at: moment(),
    updated_at: moment(),
  },
  'HeldCart',
);

const defaultPageSize = 100;
/** Our choice: more carts are of no use in a list. */
const largestPage = 500;

/** The carts held at a location, newest first, claimed ones among them (spec 4.4). */
export const listHeldCarts = route({
  method: 'GET',
  path: '/V1/pos/held-carts/location/:locationId',
  acl: 'Vendor_Pos::locations',
  summary: 'Carts held at a location',
  name: 'listHeldCarts',
  description: `Newest first, carts that a register has taken up among them: \`recalled_at\` tells. At most 500, and
    as many as come to 8 MB of data. Poll with \`If-None-Match\`: 304 means that nothing changed.`,
  outcomes: [],
  headers: {
    read: [
      {
        name: 'If-None-Match',
        description: 'The `ETag` of the last answer: 304, without a body, as long as nothing changed.',
        example: 'W/"12-7"',
      },
    ],
    answered: [{ name: 'ETag', description: 'Names this state of the list.' }],
  },
  params: z.object({ locationId: idParam }),
  query: z.object({ pageSize: integer.default(defaultPageSize) }),
  response: z.array(heldCartAnswer),

  readAhead: async ({ reader, params, query, header }) =>
    header('if-none-match') === undefined
      ? undefined
      : findHeldCartsVersion(reader, requestedOf({ ...params, ...query })),

  async handle({ reader, ahead: version, params, query, header, setHeader }) {
    const known = version === undefined ? undefined : tagOf(version);
    if (known !== undefined && hasTag(header('if-none-match'), known)) {
      setHeader('ETag', known);
      // The caller has this version already, so no rows are sent.
      return [];
    }
    const rows = await findHeldCarts(reader, requestedOf({ ...params, ...query }));
    setHeader('ETag', tagOf(versionOf(rows)));
    return rows.map(renderHeldCart);
  },
});

/** A page of no rows means all of them (platform facts 3.4). */
const requestedOf = ({ locationId, pageSize }: { locationId: number; pageSize: number }) => ({
  locationId,
  pageSize: pageSize > 0 ? Math.min(pageSize, largestPage) : largestPage,
});

/** Weak: a proxy that compresses the answer leaves such a tag as it is. */
const tagOf = (version: string) => `W/"${version}"`;

/** Removes a held cart (spec 4.4). */
export const deleteHeldCartRoute = route({
  method: 'DELETE',
  path: '/V1/pos/held-carts/:heldCartId',
  acl: 'Vendor_Pos::locations',
  summary: 'Remove a held cart',
  name: 'deleteHeldCart',
  description: 'Call it when the cart is sold or given up. A repeat is a 404.',
  outcomes: [heldCartNotFound.because('It was deleted, or never there.', 'It is as you wish; go on.')],
  params: z.object({ heldCartId: idParam }),
  response: z.literal(true),

  handle: ({ em, params }) => done(deleteHeldCart(em, params.heldCartId)),
});

/** Removes a held cart whose number the register does not know, because it parked it offline (spec 4.4). */
export const deleteHeldCartByUuidRoute = route({
  method: 'DELETE',
  path: '/V1/pos/held-carts/uuid/:cartUuid',
  acl: 'Vendor_Pos::locations',
  summary: 'Remove a held cart by its UUID',
  name: 'deleteHeldCartByUuid',
  description: `For a cart that was parked offline, whose number the register never heard. True whether or not the
    cart ever came, so a repeat is as good. A UUID is the same in capitals, in braces and without dashes.`,
  outcomes: [invalidField('It can be no id of a cart: it has other characters, or is longer than 100.')],
  params: z.object({ cartUuid }),
  response: z.literal(true),

  handle: ({ em, params }) => done(deleteHeldCartByUuid(em, params.cartUuid)),
});
