import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import { listEndpoints } from '../db/events/endpoints.ts';
import {
  administratorToTell,
  claimMail,
  concludeMail,
  endOfMail,
  endpointOfMail,
  isEscalation,
  keepHolding,
  postponeMail,
  receiptOfMail,
  secondsUntilOurs,
  type ClaimedMail,
  type Hold,
} from '../db/mails/conclude-mail.ts';
import { mailAddressPurpose, readDocumentToTell, resetPurpose } from '../db/mails/post-receipt-mail.ts';
import {
  readAccountToTell,
  readRefundToTell,
  readResetToTell,
  readSubscriberToAsk,
} from '../db/mails/read-refund-to-tell.ts';
import { doubtOf } from '../db/ops/doubts.ts';
import { confirmationKey } from '../db/platform/customers/confirm-account.ts';
import { confirmationPath } from '../db/platform/newsletter/confirm-subscription.ts';
import { readReceiptView } from '../db/receipts/read-receipt-view.ts';
import { findReceiptLogo } from '../db/receipts/receipt-logo.repository.ts';
import { findReceiptPdf } from '../db/receipts/receipt-pdf.repository.ts';
import { merchantReference } from '../db/refunds/merchant-reference.ts';
import { findRefundAttempt } from '../db/refunds/refund-attempt.repository.ts';
import { openCode } from '../db/self-checkout/one-time-code-secrets.ts';
import { readCodeToTell } from '../db/self-checkout/read-code-to-tell.ts';
import { troubleOf } from '../db/support/connections/database-trouble.ts';
import type { SecretBox } from '../db/support/secret-box.ts';
import {
  accountConfirmationLetter,
  documentLetter,
  newsletterLetter,
  oneTimeCodeLetter,
  passwordResetLetter,
} from '../domain/mails/letter-pen.ts';
import {
  holdSeconds,
  isOneAddress,
  nextTryMinutes,
  nextUrgentTrySeconds,
  pausedEndpointLetter,
  type MailKind,
  type MailState,
  mailServerReasons,
  type MailReason,
} from '../domain/mails/letters.ts';
import { refundLetter, uncertainRefundLetter } from '../domain/mails/uncertain-refund-letter.ts';
import { money } from '../domain/money.ts';
import { resetHours } from '../domain/platform/customers.ts';
import { linkDays } from '../domain/platform/newsletter.ts';
import { isDecided, refundAttemptId } from '../domain/refunds/refund-finding.ts';
import type { Enclosed, Mail } from '../providers/mail.ts';
import { receiptDigest, receiptFilename, renderReceiptMail } from '../providers/receipts/render-receipt.ts';
import type { MailDependencies } from './mails/mail-dependencies.ts';
import { whileAlive } from './support.ts';

const logoName = 'logo@receipt';

/** A receipt's mail with its present content. The PDF is enclosed where one of the same content exists. */
async function receiptMail(
  { orm, box, publicBaseUrl }: { orm: MikroORM; box: SecretBox; publicBaseUrl: string | undefined },
  { receiptId, sealedTo }: Pick<ClaimedMail, 'sealedTo'> & { receiptId: number },
): Promise<Omit<Mail, 'key'> | { dropped: MailReason }> {
  if (sealedTo === null) return { dropped: 'nobody_to_tell' };
  const em = orm.em.fork();
  const view = await readReceiptView(em, { receiptId }, { box, publicBaseUrl });
  const [pdf, logo] = await Promise.all([
    findReceiptPdf(em, { receiptId, digest: receiptDigest(view) }),
    view.shop.logo === null ? undefined : findReceiptLogo(em, view.shop.logo.digest),
  ]);
  const letter = renderReceiptMail(view, { logo: logo ? `cid:${logoName}` : null, hasPdf: pdf !== undefined });
  return { to: box.open(sealedTo, mailAddressPurpose), ...letter, enclosed: [...file(view, pdf), ...picture(logo)] };
}

const file = (view: Parameters<typeof receiptFilename>[0], content: Buffer | undefined): Enclosed[] =>
  content ? [{ filename: receiptFilename(view), contentType: 'application/pdf', content }] : [];

const picture = (content: Buffer | undefined): Enclosed[] =>
  content ? [{ filename: 'logo.png', contentType: 'image/png', content, cid: logoName }] : [];

/** The mail to send, or as a code why none is sent. */
type Prepared = Omit<Mail, 'key'> | { dropped: MailReason };

type Prepare = (dependencies: MailDependencies, mail: ClaimedMail) => Promise<Prepared>;

const nobody: { dropped: MailReason } = { dropped: 'nobody_to_tell' };

const aboutRefund: Prepare = async ({ orm }, { creditMemoId }) => {
  const refund = creditMemoId === null ? undefined : await readRefundToTell(orm.em.fork(), creditMemoId);
  return refund ? { to: refund.to, ...refundLetter(refund.refund) } : nobody;
};

/** The last of the three mails goes to whoever is asked when nobody answered for a day. */
const aboutQuestion: Prepare = async (dependencies, { attemptId, mailKey }) => {
  const { orm, providers, alarmsTo, escalateTo, pageOf, publicUrl } = dependencies;
  const em = orm.em.fork();
  const usual = alarmsTo ?? (await administratorToTell(em));
  const to = isEscalation(mailKey) ? (escalateTo ?? usual) : usual;
  if (to === undefined || attemptId === null) return nobody;
  const attempt = await findRefundAttempt(em, attemptId);
  if (isDecided(attempt.state)) return { dropped: 'answered_meanwhile' };
  const gateway = await providers.gateways.for(attempt);
  const doubt = await doubtOf(em, { attemptId, locationIds: null });
  const since = `${attempt.createdAt.replace(' ', 'T')}Z`;
  return {
    to,
    ...uncertainRefundLetter({
      ...attempt,
      ...{ since, hours: Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 3_600_000)) },
      reference: merchantReference(attempt),
      amount: money(String(attempt.amount)),
      shop: doubt?.locationName ?? null,
      lastWord: attempt.message,
      canLookUp: gateway?.canLookUp ?? false,
      pageUrl: pageOf(refundAttemptId(attemptId)) ?? null,
      opsUrl: `${publicUrl}/ops`,
    }),
  };
};

/** For an unknown e-mail no mail is sent; the answer to the request looks the same (decision 1). */
const aboutCode: Prepare = async ({ orm, providers }, { codeId, sealed }) => {
  if (codeId === null || sealed === null) return nobody;
  const { email, code } = openCode(providers.secrets, sealed);
  const found = await readCodeToTell(orm.em.fork(), { codeId, email });
  if (!found) return nobody;
  const { to, ...facts } = found;
  return { to, ...oneTimeCodeLetter({ ...facts, code }) };
};

const aboutNewsletter: Prepare = async ({ orm, providers, publicUrl }, { subscriberId }) => {
  const request = subscriberId === null ? undefined : await readSubscriberToAsk(orm.em.fork(), subscriberId);
  if (!request) return { dropped: 'answered_meanwhile' };
  const link = publicUrl + confirmationPath(providers.secrets, request);
  const { email: to, shopName, locale } = request;
  return { to, ...newsletterLetter({ shopName, locale, link, days: linkDays }) };
};

const aboutReceipt: Prepare = async ({ orm, providers, publicBaseUrl }, mail) =>
  mail.receiptId === null
    ? nobody
    : receiptMail({ orm, box: providers.secrets, publicBaseUrl }, { ...mail, receiptId: mail.receiptId });

const aboutDocument: Prepare = async ({ orm }, { documentName, documentId }) => {
  if (documentName === null || documentId === null) return nobody;
  const found = await readDocumentToTell(orm.em.fork(), { document: documentName, documentId });
  return found ? { to: found.to, ...documentLetter(found.document) } : nobody;
};

/** A token that was replaced or used meanwhile is not sent. */
const aboutPassword: Prepare = async ({ orm, providers, publicUrl }, { customerId, sealed }) => {
  if (customerId === null || sealed === null) return nobody;
  const token = providers.secrets.open(sealed, resetPurpose);
  const found = await readResetToTell(orm.em.fork(), { customerId, token });
  if (!found) return { dropped: 'answered_meanwhile' };
  const link = `${publicUrl}/account/password/${customerId}/${token}`;
  const { to, shopName, locale } = found;
  return { to, ...passwordResetLetter({ shopName, locale, link, hours: resetHours }) };
};

const aboutAccount: Prepare = async ({ orm, providers, publicUrl }, { customerId }) => {
  const found = customerId === null ? undefined : await readAccountToTell(orm.em.fork(), customerId);
  if (customerId === null || !found || found.confirmation === null) return { dropped: 'answered_meanwhile' };
  const account = { customerId, email: found.to, confirmation: found.confirmation };
  const key = confirmationKey(providers.secrets, account);
  const link = `${publicUrl}/account/confirm/${customerId}/${key}`;
  const { to, shopName, locale } = found;
  return { to, ...accountConfirmationLetter({ shopName, locale, link }) };
};

const aboutEndpoint: Prepare = async ({ orm, alarmsTo, publicUrl }, { mailKey }) => {
  const em = orm.em.fork();
  const endpointId = endpointOfMail(mailKey);
  const to = alarmsTo ?? (await administratorToTell(em));
  if (to === undefined || endpointId === undefined) return nobody;
  const paused = (await listEndpoints(em)).find((one) => one.endpointId === endpointId && one.state === 'paused');
  if (!paused) return { dropped: 'answered_meanwhile' };
  return { to, ...pausedEndpointLetter({ ...paused, opsUrl: `${publicUrl}/ops` }) };
};

/** Who is written to and what, by kind: read anew at each try. */
const byKind: Record<MailKind, Prepare> = {
  receipt: aboutReceipt,
  refund: aboutRefund,
  uncertain_refund: aboutQuestion,
  one_time_code: aboutCode,
  newsletter_confirmation: aboutNewsletter,
  document: aboutDocument,
  password_reset: aboutPassword,
  account_confirmation: aboutAccount,
  endpoint_paused: aboutEndpoint,
};

/** A quarter of the hold: two renewals may fail. */
const renewEveryMs = (holdSeconds * 1_000) / 4;
/** A second before others may take the mail. */
const safeMs = (holdSeconds - 1) * 1_000;

/**
 * Holds a claimed mail while the work runs. When the hold cannot be renewed in time, or another sender has the mail,
 * the signal ends the work: so a sender that was frozen does not send beside the one that took over.
 */
export async function whileHeld<Made>(
  em: EntityManager,
  hold: Hold,
  work: (lost: AbortSignal) => Promise<Made>,
): Promise<Made> {
  const lost = new AbortController();
  const end = setTimeout(() => lost.abort(), safeMs);
  let renewing: Promise<unknown> | undefined;
  const renew = async () => {
    // Nobody knows while the database is away: then the time decides.
    const isOurs = await keepHolding(em, hold).catch(() => undefined);
    if (isOurs === true) end.refresh();
    if (isOurs === false) lost.abort();
    renewing = undefined;
  };
  const timer = setInterval(() => void (renewing ??= renew()), renewEveryMs);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
    clearTimeout(end);
    // Or it would overwrite what is stored next.
    await renewing;
  }
}

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
  const failed = async (mail: ClaimedMail, reason: MailReason): Promise<MailSent> => {
    const { mailId, tries } = mail;
    const seconds = secondsUntilNextTry(mail);
    log.warn({ 'mail.id': mailId, reason, tries }, 'a mail was not sent');
    if (seconds === undefined) return dropped(mail, reason);
    await postponeMail(orm.em.fork(), { mailId, tries, seconds, reason });
    return { state: 'waiting', reason, ...(mail.isUrgent ? { againInSeconds: seconds } : {}) };
  };

  const dropped = async ({ mailId, tries }: ClaimedMail, reason: MailReason): Promise<MailSent> => {
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
    sendMail: (request: { mailId: number; isPdfTried?: boolean }): Promise<MailSent> => whileAlive(() => send(request)),
  };
};

/** Why it was not sent; `lost`: another sender may have it. */
type Unsent = 'lost' | { failed: MailReason } | { dropped: MailReason };

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
function codeOf(error: unknown): MailReason {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return mailServerReasons.find((known) => known === code) ?? 'unknown';
}
