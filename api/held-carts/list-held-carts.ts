import { z } from 'zod';
import { findHeldCarts, findHeldCartsVersion, versionOf } from '../../db/held-carts/held-cart.repository.ts';
import { hasTag } from '../http/entity-tag.ts';
import { route } from '../http/route.ts';
import { idParam, integer } from '../wire/schemas.ts';
import { heldCartAnswer, renderHeldCart } from './render-held-cart.ts';

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
    header('if-none-match') === undefined ? undefined : findHeldCartsVersion(reader, wantedOf({ ...params, ...query })),

  async handle({ reader, ahead: version, params, query, header, setHeader }) {
    const known = version === undefined ? undefined : tagOf(version);
    if (known !== undefined && hasTag(header('if-none-match'), known)) {
      setHeader('ETag', known);
      // The caller has this version already, so no rows are sent.
      return [];
    }
    const rows = await findHeldCarts(reader, wantedOf({ ...params, ...query }));
    setHeader('ETag', tagOf(versionOf(rows)));
    return rows.map(renderHeldCart);
  },
});

/** A page of no rows means all of them (platform facts 3.4). */
const wantedOf = ({ locationId, pageSize }: { locationId: number; pageSize: number }) => ({
  locationId,
  pageSize: pageSize > 0 ? Math.min(pageSize, largestPage) : largestPage,
});

/** Weak: a proxy that compresses the answer leaves such a tag as it is. */
const tagOf = (version: string) => `W/"${version}"`;
