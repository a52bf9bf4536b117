import { z } from 'zod';
import { addEntry } from '../../db/store-credit/add-entry.ts';
import { route } from '../http/route.ts';
import { entryFields, newEntry, walletMoney } from './entry-payload.ts';
import { entryAnswer, renderEntry } from './render-entry.ts';

/**
 * Corrects a wallet by a signed delta (spec 4.11): answers the ledger entry, stamped with who called.
 *
 * It takes no key: each call corrects again. Refused with: 404 unknown customer or website · 400 a website that the
 * account does not belong to · 400 in the wallet's words,
 * also for a delta of zero (our choice).
 */
export const adjustWallet = route({
  method: 'POST',
  path: '/V1/vendor-store-credit/adjust',
  acl: 'Vendor_StoreCredit::balance_adjust',
  summary: 'Correct a balance',
  body: z.object({ ...entryFields, delta: walletMoney }),
  response: entryAnswer,

  async handle({ em, body: { delta, ...fields }, caller }) {
    return renderEntry(await addEntry(em, newEntry('adjustment', { ...fields, amount: delta }, caller)));
  },
});
