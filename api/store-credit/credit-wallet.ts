import { addEntry } from '../../db/store-credit/add-entry.ts';
import { route } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { entryPayload, newEntry } from './entry-payload.ts';
import { entryAnswer, renderEntry } from './render-entry.ts';
import {
  unknownCustomerOrWebsite,
  foreignWebsite,
  notAboveZero,
  noReason,
  otherCurrency,
  finerThanACoin,
  tooMuchCredit,
} from './wallet-outcomes.ts';

/** Adds store credit to a wallet (spec 4.11). Answers the ledger entry, which names the caller. */
export const creditWallet = route({
  method: 'POST',
  path: '/V1/vendor-store-credit/credit',
  acl: 'Vendor_StoreCredit::balance_adjust',
  summary: 'Give a customer store credit',
  name: 'creditWallet',
  description: `Adds to the wallet, in the website’s base currency. With \`idempotencyKey\` in the body a repeat
    answers the first entry and writes nothing. Without one, each call gives again.`,
  outcomes: [
    unknownCustomerOrWebsite,
    foreignWebsite,
    notAboveZero,
    noReason,
    otherCurrency,
    finerThanACoin,
    tooMuchCredit,
  ],
  body: entryPayload,
  response: entryAnswer,

  handle: async ({ em, body, caller, setHeader }) =>
    renderEntry(await addEntry(em, newEntry('credit', body, caller), () => markReplayed({ setHeader }))),
});
