import { z } from 'zod';
import { findBalance } from '../../db/store-credit/wallet.repository.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { balanceAnswer, renderBalance } from './render-balance.ts';
import { unknownCustomerOrWebsite, foreignWebsite } from './wallet-outcomes.ts';

/** A customer's store credit on a website (spec 4.11); zero before the first entry. */
export const getBalance = route({
  method: 'GET',
  path: '/V1/vendor-store-credit/balance/:customerId/:websiteId',
  acl: 'Vendor_StoreCredit::balance_view',
  summary: "A customer's store credit",
  name: 'getStoreCreditBalance',
  description: 'In the website’s base currency; zero where nothing was ever booked.',
  outcomes: [unknownCustomerOrWebsite, foreignWebsite],
  params: z.object({ customerId: idParam, websiteId: idParam }),
  response: balanceAnswer,

  handle: async ({ em, params }) => renderBalance(await findBalance(em, params.customerId, params.websiteId)),
});
