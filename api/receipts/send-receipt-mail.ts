import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { postReceiptMail } from '../../db/mails/post-receipt-mail.ts';
import { invalid, PosError } from '../../domain/errors.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { isOneAddress } from '../../domain/mails/one-address.ts';
import type { PageSentence } from '../../providers/receipts/notice-words.ts';
import type { Settings } from '../../providers/settings.ts';
import { mailOutcomeUpdate, mailWorkflowId, type MailInput, type MailOutcome } from '../../workflows/mails/messages.ts';
import type { Operation } from '../http/operation.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';

export interface ReceiptMailWish {
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
export async function sendReceiptMail(wish: ReceiptMailWish): Promise<'sent' | 'on_its_way'> {
  const to = wish.to.trim();
  if (!isOneAddress(to)) throw failed('The destination is not one e-mail address.');
  const box = secretBoxOf(wish.settings);
  const key = wish.operation?.key ?? randomUUID();
  const mailId = await postReceiptMail(wish.em, box, { receiptId: wish.receiptId, to, key });
  const { state, reason } = await outcomeOf(wish, mailId);
  if (state === 'sent') return 'sent';
  if (state !== 'dropped') {
    wish.operation?.leaveOpen();
    return 'on_its_way';
  }
  // Which of all other codes it was stands in the mail's row and in the log; it would tell a shopper nothing.
  throw failed(sentences[reason ?? state] ?? 'The mail server did not take the mail.');
}

/** The page says the reason in its own language; a register gets it as it is. */
const failed = (why: PageSentence) => invalid('Failed to send receipt email: %1', [why]);

/** Here only a yes counts as a yes. An unknown outcome is not a no: the mail is in the outbox. */
export const notAnsweredYet = () => failed('The mail server has not answered yet; the receipt may still arrive.');

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

const outcomeOf = async ({ workflows, requestId }: ReceiptMailWish, mailId: number): Promise<MailOutcome> => {
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
