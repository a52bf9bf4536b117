import { z } from 'zod';
import { openReturns } from '../../db/returns/return.repository.ts';
import { route } from '../http/route.ts';
import { integer } from '../wire/schemas.ts';
import { renderReturn, returnAnswer } from './render-return.ts';

/** Our choice: the spec gives 200 as an example; it ends where every list without a page size does. */
const defaultLimit = 200;
const longestInbox = 10_000;

/** Returns that are not finished, across orders, newest first: the inbox of pending returns (spec 4.8). */
export const listOpenReturns = route({
  method: 'GET',
  path: '/V1/pos/rma/open',
  acl: 'Vendor_Pos::locations',
  summary: 'Returns that are not finished',
  name: 'listOpenReturns',
  description: 'The inbox of returns that are not finished, across orders, newest first.',
  outcomes: [],
  query: z.object({ limit: integer.default(defaultLimit) }),
  response: z.array(returnAnswer),

  async handle({ query: { limit }, em }) {
    const most = Math.min(Math.max(limit, 1), longestInbox);
    return (await openReturns(em, most)).map((rma) => renderReturn(rma));
  },
});
