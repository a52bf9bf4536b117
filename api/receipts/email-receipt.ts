import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { postReceiptMail } from '../../db/mails/post-receipt-mail.ts';
import { readReceiptView } from '../../db/receipts/read-receipt-view.ts';
import { findReceiptOfOrder } from '../../db/receipts/read-receipt.ts';
import { fieldRequired, PosError } from '../../domain/errors.ts';
import { isOneAddress } from '../../domain/mails/letters.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { noReceiptWithNumber, noReceiptWithToken, receiptMailFailed } from '../../domain/refusals/register.ts';
import type { PageSentence } from '../../providers/receipts/notice-words.ts';
import type { Settings } from '../../providers/settings.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import { mailOutcomeUpdate, mailWorkflowId, type MailInput, type MailOutcome } from '../../workflows/messages.ts';
import type { Operation } from '../http/operation.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';
import { receiptAnswer, renderReceipt } from './render-receipt.ts';

export interface ReceiptMailInput {
  em: EntityManager;
  workflows: Workflows;
  settings: Settings;
  requestId: string;
  receiptId: number;
  to: string;
  /** One mail per request, however often it is repeated. Absent: each call is a new request. */
  operation?: Pick<Operation, 'key' | 'leaveOpen'>;
}

/**
 * Sends a receipt by mail, with its PDF where a printer exists, and waits for the mail server's yes (spec 4.9).
 *
 * Each call is a new mail, unless one with the same receipt still waits for the same address. The request is
 * committed before the mail is sent; a mail that the server refused is not sent later. While the outcome is unknown,
 * the mail counts as on its way: the request stays open, and a repeat gets the outcome.
 *
 * Refused with: 400 `Failed to send receipt email: %1`, for an invalid address, and for every refusal of the server.
 */
export async function sendReceiptMail(input: ReceiptMailInput): Promise<'sent' | 'on_its_way'> {
  const to = input.to.trim();
  if (!isOneAddress(to)) throw failed('The destination is not one e-mail address.');
  const box = secretBoxOf(input.settings);
  const key = input.operation?.key ?? randomUUID();
  const mailId = await postReceiptMail(input.em, box, { receiptId: input.receiptId, to, key });
  const { state, reason } = await outcomeOf(input, mailId);
  if (state === 'sent') return 'sent';
  if (state !== 'dropped') {
    input.operation?.leaveOpen();
    return 'on_its_way';
  }
  // Which of all other codes it was stands in the mail's row and in the log; it would tell a shopper nothing.
  throw failed(sentences[reason ?? state] ?? 'The mail server did not take the mail.');
}

/** The page says the reason in its own language; a register gets it as it is. */
const failed = (why: PageSentence) => receiptMailFailed([why]);

/** Here only a yes counts as a yes. An unknown outcome is not a no: the mail is in the outbox. */
const notAnsweredYet = () => failed('The mail server has not answered yet; the receipt may still arrive.');

const sentences: Readonly<Record<string, PageSentence>> = {
  no_mail_server: 'This shop has no mail server.',
  not_prepared: 'The receipt could not be written into a mail.',
  ETIMEDOUT: 'The mail server does not answer.',
  EABORT: 'The mail server does not answer.',
  ECONNECTION: 'The mail server cannot be reached.',
  ESOCKET: 'The mail server cannot be reached.',
  EDNS: 'The mail server cannot be reached.',
  EENVELOPE: 'The mail server refused the address.',
  EAUTH: 'The mail server refused the shop’s own password.',
};

const outcomeOf = async ({ workflows, requestId }: ReceiptMailInput, mailId: number): Promise<MailOutcome> => {
  try {
    return await workflows.ask<MailOutcome, object, MailInput>({
      update: mailOutcomeUpdate,
      workflow: 'mailWorkflow',
      id: mailWorkflowId(mailId),
      input: { mailId },
      request: {},
      operationKey: requestId,
      summary: `Mail ${mailId}`,
      patienceMs: answerWithinMs,
    });
  } catch (error) {
    if (error instanceof PosError && error.status === 503) return { state: 'waiting' };
    throw error;
  }
};

const word = text(1_024).optional();

/**
 * Mails a receipt, found by its token, to one address (spec 4.9): the receipt's page, its PDF attached. It waits for
 * the mail server's yes.
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
    'The receipt is found by the token in its code. The customer gets what the public page shows, with a PDF ' +
    'attached; a shop without a PDF printer sends the mail without it. The token may be called `receiptToken` or ' +
    '`token`; the address `destination`, `email`, `emailAddress`, `recipient` or `to`, in either case of keys. ' +
    'One address, no list. Each call is another mail, unless the same mail is still waiting. With an ' +
    '`Idempotency-Key` a repeat sends none. Not rate limited.',
  outcomes: [receiptMailFailed, noReceiptWithToken],
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

/**
 * The receipt of an order by the order's number; the newest where there are several, which the header
 * `X-Receipt-Count` tells (spec 4.9; the header is our choice).
 */
export const getReceiptOfOrder = route({
  method: 'GET',
  path: '/V1/pos/receipts/by-increment-id/:incrementId',
  acl: 'Vendor_Pos::receipts',
  summary: 'The newest receipt of an order',
  name: 'getReceiptOfOrder',
  description: `The newest receipt of the order with this number. Where there are several, the header
    \`X-Receipt-Count\` says how many.`,
  outcomes: [noReceiptWithNumber],
  headers: {
    answered: [
      { name: 'X-Receipt-Count', description: 'How many receipts the order has, where it has more than one.' },
    ],
  },
  params: z.object({ incrementId: text(255) }),
  response: receiptAnswer,
  isPrivate: true,

  async handle({ em, params, settings, setHeader }) {
    const { receipt, items, count } = await findReceiptOfOrder(em, params.incrementId);
    if (count > 1) setHeader('X-Receipt-Count', String(count));
    return renderReceipt(receipt, items, secretBoxOf(settings));
  },
});
