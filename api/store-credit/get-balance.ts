import { z } from 'zod';
import { findBalance } from '../../db/store-credit/wallet.repository.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { balanceAnswer, renderBalance } from './render-balance.ts';

/**
 * A customer's store credit on a website (spec 4.11): zero where nothing was booked yet. Refused with: 404 unknown
 * customer or website · 400 a website that the account does not belong to (accounts are not shared here).
 */
export const getBalance = route({
  method: 'GET',
  path: '/V1/vendor-store-credit/balance/:customerId/:websiteId',
  acl: 'Vendor_StoreCredit::balance_view',
  summary: "A customer's store credit",
  params: z.object({ customerId: idParam, websiteId: idParam }),
  response: balanceAnswer,

  handle: async ({ em, params }) => renderBalance(await findBalance(em, params.customerId, params.websiteId)),
});
