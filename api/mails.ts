import { postDocumentMail } from '../db/mails/post-document-mail.ts';
import type { MailDocument } from './http/route-kinds.ts';
import { sendMailSoon } from './temporal/send-mail-soon.ts';

/**
 * Sends a document of an order to its customer through the outbox. It uses the queue of short mails, so that it never
 * waits behind a PDF. The request does not wait for the mail server.
 */
export const mailDocument: MailDocument = { post: postDocumentMail, send: sendMailSoon };
