import { z } from 'zod';
import { findReceipt } from '../../db/receipts/receipt.repository.ts';
import { saveReceipt } from '../../db/receipts/save-receipt.ts';
import { findLicense } from '../../db/terminals/license-rows.ts';
import { unauthorized } from '../../domain/errors.ts';
import { isActivePro } from '../../domain/terminals/license.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { unread } from '../wire/unread.ts';
import { readReceipt, terminalOf } from './read-receipt.ts';
import { newReceipt, receiptPayload } from './receipt-payload.ts';
import { receiptAnswer, renderReceipt } from './render-receipt.ts';

/** Takes the receipt of a completed sale, before or after its order is placed (spec 4.9). */
export const createReceipt = route({
  method: 'POST',
  path: '/V1/pos/receipts',
  acl: 'Vendor_Pos::receipts',
  summary: "Store a completed sale's receipt",
  name: 'createReceipt',
  description: `Send it before the order is placed. \`pos_order_id\`, or \`sale_id\`, is the sale: a repeat answers
    the stored receipt and changes at most a newer token and a missing order number. The order is linked by its
    \`pos_sale_id\`. Money is in the sale’s currency. Without \`receipt_token\` the server makes one. Keep the receipt
    on the register until there is a 2xx.`,
  outcomes: [
    {
      status: 401,
      message: 'An active PRO license of the terminal is required.',
      when: 'The terminal of `terminal_id` has no active PRO license.',
      then: 'Keep the receipt. Refresh the license, then send the same request.',
    },
    {
      status: 400,
      message: 'Could not save the receipt: %1',
      when: 'Something in it cannot be stored; the parameter says what, and in which field.',
      then: 'Leave that field out, then send it. A card number never belongs in it.',
    },
    {
      status: 413,
      message: 'The request body must not be larger than %1 bytes.',
      when: 'It is larger than 1 MB.',
      then: 'Leave `raw_payload` out.',
    },
  ],
  body: z.object({ receipt: unread(receiptPayload).meta({ id: 'Receipt' }) }).meta({ required: ['receipt'] }),
  takesAnyJson: true,
  response: receiptAnswer,
  isPrivate: true,

  async handle({ em, body, settings, now, setHeader }) {
    await requireLicense(em, terminalOf(body.receipt), now);
    const { posted, posOrderId } = readReceipt(body.receipt);
    const box = secretBoxOf(settings);
    const receiptId = await saveReceipt(em, box, newReceipt(posted, posOrderId), () => markReplayed({ setHeader }));
    const { receipt, items } = await findReceipt(em, receiptId);
    return renderReceipt(receipt, items, box);
  },
});

async function requireLicense(em: RouteContext['em'], terminalId: number | undefined, now: Date): Promise<void> {
  const license = terminalId === undefined ? undefined : await findLicense(em, terminalId);
  if (!isActivePro(license, now)) throw unauthorized('An active PRO license of the terminal is required.');
}
