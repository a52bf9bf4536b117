import type { MikroORM } from '@mikro-orm/postgresql';
import { claimMail, endOfMail, receiptOfMail, secondsUntilOurs, type ClaimedMail } from '../../db/mails/claim-mail.ts';
import { concludeMail, postponeMail } from '../../db/mails/conclude-mail.ts';
import { troubleOf } from '../../db/support/connections/database-trouble.ts';
import { nextTryMinutes, nextUrgentTrySeconds, type MailState } from '../../domain/mails/mail-life.ts';
import type { Providers } from '../../providers/index.ts';
import type { Log } from '../../providers/log.ts';
import { byKind, type Prepared } from './prepare-mail.ts';

/** What the queue for mail works with; handed in once by the worker, or by a test. */
export interface MailDependencies {
  orm: MikroORM;
  providers: Pick<Providers, 'gateways' | 'mail' | 'secrets'>;
  log: Pick<Log, 'info' | 'warn'>;
  /** Who is told of refunds that stay uncertain; undefined: nobody. */
  alarmsTo: string | undefined;
  /** Where links in mails lead to. */
  publicUrl: string;
  /** The page of a workflow; undefined where nobody said where the pages are. */
  pageOf: (workflowId: string) => string | undefined;
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
  /** Where somebody waits for it: when it is worth trying again. */
  againInSeconds?: number;
}

export type MailActivities = ReturnType<typeof createMailActivities>;

export const createMailActivities = (dependencies: MailDependencies) => {
  const { orm, providers, log } = dependencies;

  const prepared = async (mail: ClaimedMail): Promise<Prepared> => {
    if (!providers.mail.isEnabled) return { dropped: 'no_mail_server' };
    return byKind[mail.kind](dependencies, mail);
  };

  /** The mail is due again at once, where that can be noted; else once its turn has run out. */
  const letGo = (mailId: number) =>
    postponeMail(orm.em.fork(), { mailId, seconds: 0, reason: 'database' }).catch(() => undefined);

  /** Puts the mail off, or gives it up, for a reason that is a code: the sentence of a mail server may hold the address. */
  const failed = async (mail: ClaimedMail, reason: string): Promise<MailSent> => {
    const { mailId, tries } = mail;
    const seconds = secondsUntilNextTry(mail);
    log.warn({ 'mail.id': mailId, reason, tries }, 'a mail did not go out');
    if (seconds === undefined) {
      await concludeMail(orm.em.fork(), { mailId, state: 'dropped', reason });
      return { state: 'dropped', reason };
    }
    await postponeMail(orm.em.fork(), { mailId, seconds, reason });
    return { state: 'waiting', reason, ...(mail.isUrgent ? { againInSeconds: seconds } : {}) };
  };

  return {
    /**
     * Sends a mail of the outbox, unless it was sent, dropped, or is being sent.
     *
     * At least once: a process that dies between the mail server's yes and our note sends it again when its turn has run
     * out, under the same Message-ID, by which mail systems know it for the same mail.
     *
     * What cannot be written is put off and given up in the end, like what the mail server does not take. Throws on trouble
     * of the database; the mail is due again then.
     */
    async sendMail({ mailId, isPdfTried = false }: { mailId: number; isPdfTried?: boolean }): Promise<MailSent> {
      const receiptId =
        isPdfTried || !providers.mail.isEnabled ? undefined : await receiptOfMail(orm.em.fork(), mailId);
      if (receiptId !== undefined) return { state: 'needs_pdf', receiptId };
      const mail = await claimMail(orm.em.fork(), mailId);
      if (!mail) return notOurs(orm, mailId);
      let ready: Prepared;
      try {
        ready = await prepared(mail);
      } catch (error) {
        if (troubleOf(error) === undefined) return failed(mail, 'not_prepared');
        await letGo(mailId);
        throw error;
      }
      if ('dropped' in ready) {
        await concludeMail(orm.em.fork(), { mailId, state: 'dropped', reason: ready.dropped });
        return { state: 'dropped', reason: ready.dropped };
      }
      try {
        const key = `${mail.mailKey}.${mail.postedAt}`;
        await providers.mail.send({ ...ready, key });
      } catch (error) {
        return failed(mail, codeOf(error));
      }
      await concludeMail(orm.em.fork(), { mailId, state: 'sent' });
      log.info({ 'mail.id': mailId, kind: mail.kind }, 'a mail was sent');
      return { state: 'sent' };
    },
  };
};

/**
 * What became of a mail by somebody else's hand, so that who asks again after a crash hears how it ended. Whoever waits for
 * one does not rely on another sender, who may have died over it.
 */
async function notOurs(orm: MikroORM, mailId: number): Promise<MailSent> {
  const end = await endOfMail(orm.em.fork(), mailId);
  if (end) return { state: end.state, ...(end.reason === null ? {} : { reason: end.reason }) };
  const againInSeconds = await secondsUntilOurs(orm.em.fork(), mailId);
  return againInSeconds === undefined ? { state: 'not_ours' } : { state: 'waiting', againInSeconds };
}

/** Undefined: never. Somebody waits for a receipt and is told that it failed: sent later all the same, he would get it twice. */
function secondsUntilNextTry({ tries, isUrgent, receiptId }: ClaimedMail): number | undefined {
  if (receiptId !== null) return undefined;
  if (isUrgent) return nextUrgentTrySeconds(tries);
  const minutes = nextTryMinutes(tries);
  return minutes === undefined ? undefined : minutes * 60;
}

/** The message of a mail server may repeat the address; its code does not. */
const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
