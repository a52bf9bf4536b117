import { PosError } from '../../../domain/errors.ts';
import { isOneAddress } from '../../../domain/mails/one-address.ts';
import { sendReceiptMail } from '../send-receipt-mail.ts';
import { readForm } from '../../http/read-form.ts';
import type { Said } from '../../../providers/receipts/notice-words.ts';
import type { ReceiptVisit, VisitAnswer } from './receipt-visit.ts';
import { countVisit } from './visit-limits.ts';

/**
 * Mails a receipt to the address in the form, and shows the result on the page.
 *
 * An invalid address counts as a request, not as a mail. A failed mail counts as one, because it used the mail
 * server.
 */
export async function mailReceipt(visit: ReceiptVisit): Promise<VisitAnswer> {
  const { parts, em, ctx, requestId, view } = visit;
  const to = (await readForm(ctx))('email').trim();
  const isMail = isOneAddress(to);
  await countVisit(em, visit, { action: 'email', isMail });
  if (!isMail) return problem(visit, 400, { message: 'Please enter one e-mail address, such as name@example.com.' });
  const { workflows, settings } = parts;
  try {
    const became = await sendReceiptMail({ em, workflows, settings, requestId, receiptId: view.receiptId, to });
    return { status: 200, view, notice: { said: { message: said[became], parameters: [to] }, isProblem: false } };
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    return problem(visit, error.status, error.refusal);
  }
}

/** A visitor who sees an error tries again; a mail in progress needs no second request. */
const said = {
  sent: 'The receipt was sent to %1.',
  on_its_way: 'The receipt is on its way to %1. It arrives within minutes.',
} as const;

const problem = ({ view }: ReceiptVisit, status: number, sentence: Said): VisitAnswer => ({
  status,
  view,
  notice: { said: sentence, isProblem: true },
});
