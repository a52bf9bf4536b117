import type { MikroORM } from '@mikro-orm/postgresql';
import { claimMail, receiptOfMail, type ClaimedMail } from '../../db/mails/claim-mail.ts';
import { concludeMail, postponeMail } from '../../db/mails/conclude-mail.ts';
import { readRefundToTell } from '../../db/mails/read-refund-to-tell.ts';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { nextTryMinutes, type MailState } from '../../domain/mails/mail-life.ts';
import { refundLetter } from '../../domain/mails/refund-letter.ts';
import { uncertainRefundLetter } from '../../domain/mails/uncertain-refund-letter.ts';
import { money } from '../../domain/money/amount.ts';
import { isDecided } from '../../domain/refunds/refund-attempt-state.ts';
import type { Providers } from '../../providers/index.ts';
import type { Log } from '../../providers/log.ts';
import type { Mail } from '../../providers/mail/mailer.ts';
import { workflowOfQuestion } from '../../db/explain/workflow-of.ts';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { receiptMail } from './receipt-mail.ts';

/** What the queue for mail works with; handed in once by the worker, or by a test. */
export interface MailDependencies {
  orm: MikroORM;
  providers: Pick<Providers, 'gateways' | 'mail'>;
  log: Pick<Log, 'info' | 'warn'>;
  /** Who is told of refunds that stay uncertain; undefined: nobody. */
  alarmsTo: string | undefined;
  /** The page of a workflow; undefined where nobody said where the pages are. */
  pageOf: (workflowId: string) => string | undefined;
  /** Opens what is sealed: the address of a receipt's mail, the token in its code. */
  box: SecretBox;
  /** How this shop is reached from outside; undefined: nobody said. */
  publicBaseUrl: string | undefined;
}

/** What became of a mail. */
export interface MailSent {
  /** `needs_pdf`: a receipt whose PDF somebody has to make first. */
  state: MailState | 'not_ours' | 'needs_pdf';
  receiptId?: number;
  /** Why not, as a code. */
  reason?: string;
}

export type MailActivities = ReturnType<typeof createMailActivities>;

type Prepared = Omit<Mail, 'key'> | { dropped: string };

export const createMailActivities = (dependencies: MailDependencies) => {
  const { orm, providers, log } = dependencies;

  const prepared = async (mail: ClaimedMail): Promise<Prepared> => {
    if (!providers.mail.isEnabled) return { dropped: 'no_mail_server' };
    if (mail.receiptId !== null) return receiptMail(dependencies, { ...mail, receiptId: mail.receiptId });
    return mail.attemptId === null ? aboutRefund(orm, mail) : aboutQuestion(dependencies, mail.attemptId);
  };

  /** Puts the mail off, or gives it up; what the server said is kept as a code, for its sentence may hold the address. */
  const failed = async ({ mailId, tries, receiptId }: ClaimedMail, error: unknown): Promise<MailSent> => {
    const reason = codeOf(error);
    // Somebody waits for a receipt and is told that it failed: sent later all the same, he would get it twice.
    const minutes = receiptId === null ? nextTryMinutes(tries) : undefined;
    log.warn({ 'mail.id': mailId, reason, tries }, 'the mail server did not take a mail');
    if (minutes === undefined) await concludeMail(orm.em.fork(), { mailId, state: 'dropped', reason });
    else await postponeMail(orm.em.fork(), { mailId, minutes, reason });
    return { state: minutes === undefined ? 'dropped' : 'waiting', reason };
  };

  return {
    /**
     * Sends a mail of the outbox, unless it was sent, dropped, or is being sent.
     *
     * At least once: a process that dies between the mail server's yes and our note sends it again when its turn has run
     * out, under the same Message-ID, by which mail systems know it for the same mail.
     */
    async sendMail({ mailId, isPdfTried = false }: { mailId: number; isPdfTried?: boolean }): Promise<MailSent> {
      const receiptId =
        isPdfTried || !providers.mail.isEnabled ? undefined : await receiptOfMail(orm.em.fork(), mailId);
      if (receiptId !== undefined) return { state: 'needs_pdf', receiptId };
      const mail = await claimMail(orm.em.fork(), mailId);
      if (!mail) return { state: 'not_ours' };
      const ready = await prepared(mail);
      if ('dropped' in ready) {
        await concludeMail(orm.em.fork(), { mailId, state: 'dropped', reason: ready.dropped });
        return { state: 'dropped', reason: ready.dropped };
      }
      try {
        const key = `${mail.mailKey}.${mail.postedAt}`;
        await providers.mail.send({ ...ready, key });
      } catch (error) {
        return failed(mail, error);
      }
      await concludeMail(orm.em.fork(), { mailId, state: 'sent' });
      log.info({ 'mail.id': mailId, kind: mail.kind }, 'a mail was sent');
      return { state: 'sent' };
    },
  };
};

async function aboutRefund(orm: MikroORM, { creditMemoId }: ClaimedMail): Promise<Prepared> {
  const told = creditMemoId === null ? undefined : await readRefundToTell(orm.em.fork(), creditMemoId);
  return told ? { to: told.to, ...refundLetter(told.refund) } : { dropped: 'nobody_to_tell' };
}

async function aboutQuestion(
  { orm, providers, alarmsTo, pageOf }: MailDependencies,
  attemptId: number,
): Promise<Prepared> {
  if (alarmsTo === undefined) return { dropped: 'nobody_to_tell' };
  const attempt = await findRefundAttempt(orm.em.fork(), attemptId);
  if (isDecided(attempt.state)) return { dropped: 'answered_meanwhile' };
  const gateway = await providers.gateways.for(attempt);
  return {
    to: alarmsTo,
    ...uncertainRefundLetter({
      ...attempt,
      reference: merchantReference(attempt),
      amount: money(String(attempt.amount)),
      since: `${attempt.createdAt.replace(' ', 'T')}Z`,
      lastWord: attempt.message,
      canLookUp: gateway?.canLookUp ?? false,
      pageUrl: pageOf(workflowOfQuestion({ attemptId })) ?? null,
    }),
  };
}

/** The message of a mail server may repeat the address; its code does not. */
const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
