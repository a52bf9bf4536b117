import { z } from 'zod';
import { findReceipt } from '../../db/receipts/receipt.repository.ts';
import { saveReceipt } from '../../db/receipts/save-receipt.ts';
import { findLicense } from '../../db/terminals/find-license.ts';
import { unauthorized } from '../../domain/errors.ts';
import { isActivePro } from '../../domain/terminals/license.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route, type Surroundings } from '../http/route.ts';
import { tellReplay } from '../http/tell-replay.ts';
import { unread } from '../wire/unread.ts';
import { readReceipt, terminalOf } from './read-receipt.ts';
import { newReceipt, receiptPayload } from './receipt-payload.ts';
import { receiptAnswer, renderReceipt } from './render-receipt.ts';

/**
 * Takes the receipt of a completed sale, before or after its order is placed (spec 4.9).
 *
 * One receipt per sale id: a repeat answers the stored one and applies at most a newer token and a missing order number.
 * The license asked for is that of the receipt's `terminal_id` (our choice: no token names a terminal); it is asked for
 * before anything else of the receipt is looked at.
 *
 * Refused with: 401 no active PRO license · 400 `Could not save the receipt: %1`, whatever is wrong with it, also for card
 * data, which must not be stored; the field is named.
 */
export const createReceipt = route({
  method: 'POST',
  path: '/V1/pos/receipts',
  acl: 'Vendor_Pos::receipts',
  summary: "Store a completed sale's receipt",
  body: z.object({ receipt: unread(receiptPayload).meta({ id: 'Receipt' }) }).meta({ required: ['receipt'] }),
  takesAnyJson: true,
  response: receiptAnswer,
  isPrivate: true,

  async handle({ em, body, settings, now, setHeader }) {
    await requireLicense(em, terminalOf(body.receipt), now);
    const { posted, posOrderId } = readReceipt(body.receipt);
    const box = secretBoxOf(settings);
    const receiptId = await saveReceipt(em, box, newReceipt(posted, posOrderId), () => tellReplay({ setHeader }));
    const { receipt, items } = await findReceipt(em, receiptId);
    return renderReceipt(receipt, items, box);
  },
});

async function requireLicense(em: Surroundings['em'], terminalId: number | undefined, now: Date): Promise<void> {
  const license = terminalId === undefined ? undefined : await findLicense(em, terminalId);
  if (!isActivePro(license, now)) throw unauthorized('An active PRO license of the terminal is required.');
}
