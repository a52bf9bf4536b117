import { z } from 'zod';
import { findBalance } from '../../db/store-credit/wallet.repository.ts';
import { route } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';
import { idParam } from '../wire/schemas.ts';
import { balanceAnswer, renderBalance } from './render-balance.ts';
import { foreignWebsite } from './wallet-outcomes.ts';

/** The store credit of the calling customer (spec 4.11); only the token says who that is. */
export const getOwnBalance = route({
  method: 'GET',
  path: '/V1/vendor-store-credit/mine/balance/:websiteId',
  acl: 'self',
  summary: "The calling customer's store credit",
  name: 'getOwnStoreCreditBalance',
  description: 'Whose balance it is comes from the token. In the website’s base currency.',
  outcomes: [unknownEntity('No website has this id.'), foreignWebsite],
  params: z.object({ websiteId: idParam }),
  response: balanceAnswer,

  handle: async ({ em, params, caller }) => renderBalance(await findBalance(em, caller.userId, params.websiteId)),
});
