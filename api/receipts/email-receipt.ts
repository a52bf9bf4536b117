import { z } from 'zod';
import { readReceiptView } from '../../db/receipts/read-receipt-view.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';
import { notAnsweredYet, sendReceiptMail } from './send-receipt-mail.ts';

const word = text(1_024).optional();

/**
 * Mails a receipt, found by its token, to one address (spec 4.9): the receipt's page, its PDF attached. It waits for the
 * mail server's yes.
 *
 * Refused with: 400 no token or no address · 404 unknown token · 400 `Failed to send receipt email: %1`.
 */
export const emailReceipt = route({
  name: 'emailReceipt',
  method: 'POST',
  path: '/V1/pos/receipts/email',
  acl: 'Vendor_Pos::receipts',
  summary: 'Mail a receipt to a customer',
  description:
    'The receipt is found by the token in its code. The customer gets what the public page shows, with a PDF attached; ' +
    'a shop without a PDF printer sends the mail without it. The token may be called `receiptToken` or `token`; the address ' +
    '`destination`, `email`, `emailAddress`, `recipient` or `to`, in either case of keys. One address, no list. Each call is ' +
    'another mail, unless the same mail is still waiting. With an `Idempotency-Key` a repeat sends none.' +
    ' Not rate limited.',
  outcomes: [
    {
      status: 400,
      message: 'Failed to send receipt email: %1',
      when: 'The address is not one address, the shop has no mail server, or the mail server did not say yes.',
      then: 'Correct the address, or show the code and let the customer open the page.',
    },
    {
      status: 404,
      message: 'The POS receipt with this token does not exist.',
      when: 'No receipt has the token; a receipt’s token may have been replaced by a later sync.',
      then: 'Sync the receipt first, then send this again.',
    },
  ],
  examples: [
    {
      title: 'A receipt to its customer',
      body: {
        receiptToken: '5f0c3b1de2a94787b6d0c51ab8e3f9240d7186ce93ab54f2081d6b7c9e35fa42',
        destination: 'grace@example.com',
      },
      response: true,
    },
  ],
  commits: 'several',
  body: z.object({
    receiptToken: word,
    token: word,
    destination: word,
    email: word,
    emailAddress: word,
    recipient: word,
    to: word,
  }),
  response: z.literal(true),

  async handle({ em, body, settings, workflows, requestId, operation }) {
    const token = body.receiptToken || body.token;
    if (!token) throw fieldRequired('receiptToken');
    const to = body.destination || body.email || body.emailAddress || body.recipient || body.to;
    if (!to) throw fieldRequired('destination');
    const means = { box: secretBoxOf(settings), publicBaseUrl: settings.PUBLIC_BASE_URL };
    const { receiptId } = await readReceiptView(em, { token }, means);
    const became = await sendReceiptMail({ em, workflows, settings, requestId, receiptId, to, operation });
    if (became === 'on_its_way') throw notAnsweredYet();
    return true as const;
  },
});
