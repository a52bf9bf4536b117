import { z } from 'zod';
import { addEntry } from '../../db/store-credit/add-entry.ts';
import { route } from '../http/route.ts';
import { entryFields, newEntry, walletMoney } from './entry-payload.ts';
import { entryAnswer, renderEntry } from './render-entry.ts';
import {
  unknownCustomerOrWebsite,
  foreignWebsite,
  belowZero,
  noReason,
  otherCurrency,
  finerThanACoin,
  tooMuchCredit,
} from './wallet-outcomes.ts';

/** Corrects a wallet by a signed amount (spec 4.11). Answers the ledger entry, which names the caller. */
export const adjustWallet = route({
  method: 'POST',
  path: '/V1/vendor-store-credit/adjust',
  acl: 'Vendor_StoreCredit::balance_adjust',
  summary: 'Correct a balance',
  name: 'adjustWallet',
  description: `\`delta\` may be below zero. There is no key in the body: each call corrects again, unless it has
    the same \`Idempotency-Key\` header.`,
  outcomes: [
    unknownCustomerOrWebsite,
    foreignWebsite,
    { status: 400, message: 'The delta of an adjustment cannot be zero.', when: 'There is nothing to correct.' },
    belowZero,
    noReason,
    otherCurrency,
    finerThanACoin,
    tooMuchCredit,
  ],
  body: z.object({ ...entryFields, delta: walletMoney }),
  response: entryAnswer,

  async handle({ em, body: { delta, ...fields }, caller }) {
    return renderEntry(await addEntry(em, newEntry('adjustment', { ...fields, amount: delta }, caller)));
  },
});
