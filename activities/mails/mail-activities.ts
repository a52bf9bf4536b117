import type { MikroORM } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import { claimMail, endOfMail, receiptOfMail, secondsUntilOurs, type ClaimedMail } from '../../db/mails/claim-mail.ts';
import { concludeMail, postponeMail } from '../../db/mails/conclude-mail.ts';
import { troubleOf } from '../../db/support/connections/database-trouble.ts';
import { isOneAddress } from '../../domain/mails/one-address.ts';
import { nextTryMinutes, nextUrgentTrySeconds, type MailState } from '../../domain/mails/mail-life.ts';
import { whileAlive } from '../support/while-alive.ts';
import type { MailDependencies } from './mail-dependencies.ts';
import { byKind, type Prepared } from './prepare-mail.ts';
import { whileHeld } from './while-held.ts';

/** The outcome of a mail. */
export interface MailSent {
  /** `needs_pdf`: a receipt whose PDF must be made first. */
  state: MailState | 'not_ours' | 'needs_pdf';
  receiptId?: number;
  /** How long it still waits for that. */
  pdfWithinSeconds?: number;
  /** Why it was not sent, as a code. */
  reason?: string;
  /** For a mail with a waiting reader: when to try again. */
  againInSeconds?: number;
}

export type MailActivities = ReturnType<typeof createMailActivities>;

export const createMailActivities = (dependencies: MailDependencies) => {
  const { orm, providers, log } = dependencies;

  const prepared = async (mail: ClaimedMail): Promise<Prepared> => {
    if (!providers.mail.isEnabled) return { dropped: 'no_mail_server' };
    return byKind[mail.kind](dependencies, mail);
  };

  /** Makes the mail due again at once. When that cannot be stored, it is due when its turn has run out. */
  const releaseMail = ({ mailId, tries }: ClaimedMail) =>
    postponeMail(orm.em.fork(), { mailId, tries, seconds: 0, reason: 'database' }).catch(() => undefined);

  /** Delays the mail or gives it up. The reason is a code, because a mail server's sentence may contain the address. */
  const failed = async (mail: ClaimedMail, reason: string): Promise<MailSent> => {
    const { mailId, tries } = mail;
    const seconds = secondsUntilNextTry(mail);
    log.warn({ 'mail.id': mailId, reason, tries }, 'a mail was not sent');
    if (seconds === undefined) return dropped(mail, reason);
    await postponeMail(orm.em.fork(), { mailId, tries, seconds, reason });
    return { state: 'waiting', reason, ...(mail.isUrgent ? { againInSeconds: seconds } : {}) };
  };

  const dropped = async ({ mailId, tries }: ClaimedMail, reason: string): Promise<MailSent> => {
    await concludeMail(orm.em.fork(), { mailId, tries, state: 'dropped', reason });
    return { state: 'dropped', reason };
  };

  /** Undefined: it was sent. */
  const notSent = async (mail: ClaimedMail, lost: AbortSignal): Promise<Unsent | undefined> => {
    let ready: Prepared;
    try {
      ready = await prepared(mail);
    } catch (error) {
      if (troubleOf(error) === undefined) return { failed: 'not_prepared' };
      await releaseMail(mail);
      throw error;
    }
    if ('dropped' in ready) return ready;
    if (!isOneAddress(ready.to)) return { dropped: 'not_one_address' };
    try {
      await providers.mail.send({ ...ready, key: `${mail.mailKey}.${mail.postedAt}` }, { signal: lost });
    } catch (error) {
      return lost.aborted ? 'lost' : { failed: codeOf(error) };
    }
    await concludeMail(orm.em.fork(), { mailId: mail.mailId, tries: mail.tries, state: 'sent' });
    return undefined;
  };

  const send = async ({ mailId, isPdfTried = false }: { mailId: number; isPdfTried?: boolean }): Promise<MailSent> => {
    const receipt = isPdfTried || !providers.mail.isEnabled ? undefined : await receiptOfMail(orm.em.fork(), mailId);
    if (receipt !== undefined) return { state: 'needs_pdf', ...receipt };
    const mail = await claimMail(orm.em.fork(), mailId);
    if (!mail) return outcomeElsewhere(orm, mailId);
    const unsent = await whileHeld(orm.em.fork(), mail, (lost) => notSent(mail, lost));
    if (unsent === 'lost') return outcomeElsewhere(orm, mailId);
    if (unsent) return 'failed' in unsent ? failed(mail, unsent.failed) : dropped(mail, unsent.dropped);
    log.info({ 'mail.id': mailId, kind: mail.kind }, 'a mail was sent');
    return { state: 'sent' };
  };

  return {
    /**
     * Sends a mail of the outbox, unless it was sent or dropped, or is being sent.
     *
     * At least once: when the process dies after the mail server's yes and before it is stored, the mail is sent
     * again. It then has the same Message-ID, by which mail systems recognise the repeat.
     *
     * A mail that cannot be written is delayed and given up in the end, like one the mail server refuses. Throws when
     * the database fails, and while another sender may have the mail; the step is then tried again.
     */
    sendMail: (asked: { mailId: number; isPdfTried?: boolean }): Promise<MailSent> => whileAlive(() => send(asked)),
  };
};

/** Why it was not sent; `lost`: another sender may have it. */
type Unsent = 'lost' | { failed: string } | { dropped: string };

/**
 * The outcome of a mail that another sender handled, for a caller that asks again after a crash. It throws while that
 * sender may still have the mail: it may have died, and Temporal asks again when the mail is due, over any worker.
 */
async function outcomeElsewhere(orm: MikroORM, mailId: number): Promise<MailSent> {
  const before = await endOf(orm, mailId);
  if (before) return before;
  const seconds = await secondsUntilOurs(orm.em.fork(), mailId);
  // The other sender may have ended it between the two reads.
  if (seconds === undefined) return (await endOf(orm, mailId)) ?? { state: 'not_ours' };
  throw ApplicationFailure.create({
    type: 'MailHeld',
    message: 'Another sender has this mail; it may have died.',
    nextRetryDelay: `${seconds} seconds`,
  });
}

async function endOf(orm: MikroORM, mailId: number): Promise<MailSent | undefined> {
  const end = await endOfMail(orm.em.fork(), mailId);
  return end && { state: end.state, ...(end.reason === null ? {} : { reason: end.reason }) };
}

/** Undefined: never. A waiting reader of a receipt is told that it failed; sending it later would deliver it twice. */
function secondsUntilNextTry({ tries, isUrgent, receiptId }: ClaimedMail): number | undefined {
  if (receiptId !== null) return undefined;
  if (isUrgent) return nextUrgentTrySeconds(tries);
  const minutes = nextTryMinutes(tries);
  return minutes === undefined ? undefined : minutes * 60;
}

/** The error code of a mail server; its message could repeat the address. */
const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
