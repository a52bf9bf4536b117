import { openCode } from '../../db/self-checkout/one-time-code-secrets.ts';
import { readCodeToTell } from '../../db/self-checkout/read-code-to-tell.ts';
import { readSubscriberToAsk } from '../../db/mails/read-subscriber-to-ask.ts';
import { confirmationPath } from '../../db/platform/newsletter/confirmation-link.ts';
import { linkDays } from '../../domain/platform/newsletter/subscription.ts';
import { resetPurpose } from '../../db/mails/post-account-mail.ts';
import { readAccountToTell, readResetToTell } from '../../db/mails/read-account-to-tell.ts';
import { confirmationKey } from '../../db/platform/customers/confirm-account.ts';
import {
  accountConfirmationLetter,
  newsletterLetter,
  oneTimeCodeLetter,
  passwordResetLetter,
} from '../../domain/mails/account-letters.ts';
import { resetHours } from '../../domain/platform/customers/account-links.ts';
import { listEndpoints } from '../../db/events/endpoints.ts';
import { pausedEndpointLetter } from '../../domain/mails/paused-endpoint-letter.ts';
import { administratorToTell, endpointOfMail, isEscalation } from '../../db/mails/raise-alarms.ts';
import { readRefundToTell } from '../../db/mails/read-refund-to-tell.ts';
import { doubtOf } from '../../db/ops/doubts.ts';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import { readDocumentToTell } from '../../db/mails/read-document-to-tell.ts';
import { documentLetter } from '../../domain/mails/document-letter.ts';
import { refundLetter } from '../../domain/mails/refund-letter.ts';
import { uncertainRefundLetter } from '../../domain/mails/uncertain-refund-letter.ts';
import { money } from '../../domain/money/amount.ts';
import { isDecided } from '../../domain/refunds/refund-attempt-state.ts';
import type { Mail } from '../../providers/mail/mailer.ts';
import { refundAttemptId } from '../../domain/refunds/refund-attempt-id.ts';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { receiptMail } from './receipt-mail.ts';
import type { ClaimedMail } from '../../db/mails/claim-mail.ts';
import type { MailKind } from '../../domain/mails/mail-life.ts';
import type { MailDependencies } from './mail-dependencies.ts';

/** The mail to send, or as a code why none is sent. */
export type Prepared = Omit<Mail, 'key'> | { dropped: string };

type Prepare = (dependencies: MailDependencies, mail: ClaimedMail) => Promise<Prepared>;

const nobody = { dropped: 'nobody_to_tell' };

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
  const asked = subscriberId === null ? undefined : await readSubscriberToAsk(orm.em.fork(), subscriberId);
  if (!asked) return { dropped: 'answered_meanwhile' };
  const link = publicUrl + confirmationPath(providers.secrets, asked);
  const { email: to, shopName, locale } = asked;
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
export const byKind: Record<MailKind, Prepare> = {
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
