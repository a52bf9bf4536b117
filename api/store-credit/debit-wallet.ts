import { addEntry } from '../../db/store-credit/add-entry.ts';
import { route } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { entryPayload, newEntry } from './entry-payload.ts';
import { entryAnswer, renderEntry } from './render-entry.ts';
import {
  unknownCustomerOrWebsite,
  foreignWebsite,
  notAboveZero,
  belowZero,
  noReason,
  otherCurrency,
  finerThanACoin,
} from './wallet-outcomes.ts';

/**
 * Takes store credit out of a wallet, at most its balance (spec 4.11). Answers the ledger entry, which names the
 * caller.
 */
export const debitWallet = route({
  method: 'POST',
  path: '/V1/vendor-store-credit/debit',
  acl: 'Vendor_StoreCredit::balance_adjust',
  summary: 'Take store credit from a customer',
  name: 'debitWallet',
  description: `Takes from the wallet, never more than is in it. With \`idempotencyKey\` in the body a repeat
    answers the first entry and writes nothing. Without one, each call takes again.`,
  outcomes: [
    unknownCustomerOrWebsite,
    foreignWebsite,
    notAboveZero,
    belowZero,
    noReason,
    otherCurrency,
    finerThanACoin,
  ],
  body: entryPayload,
  response: entryAnswer,

  handle: async ({ em, body, caller, setHeader }) =>
    renderEntry(await addEntry(em, newEntry('debit', body, caller), () => markReplayed({ setHeader }))),
});
