import { addEntry } from '../../db/store-credit/add-entry.ts';
import { route } from '../http/route.ts';
import { tellReplay } from '../http/tell-replay.ts';
import { entryPayload, newEntry } from './entry-payload.ts';
import { entryAnswer, renderEntry } from './render-entry.ts';

/**
 * Puts store credit into a wallet (spec 4.11): answers the ledger entry, stamped with who called.
 *
 * With an `idempotencyKey` a repeat answers the first entry and writes nothing, whatever else it says; without one, each
 * call gives again. Refused with: 404 unknown customer or website · 400 a website that the
 * account does not belong to · 400 in the wallet's words.
 */
export const creditWallet = route({
  method: 'POST',
  path: '/V1/vendor-store-credit/credit',
  acl: 'Vendor_StoreCredit::balance_adjust',
  summary: 'Give a customer store credit',
  body: entryPayload,
  response: entryAnswer,

  handle: async ({ em, body, caller, setHeader }) =>
    renderEntry(await addEntry(em, newEntry('credit', body, caller), () => tellReplay({ setHeader }))),
});
