/**
 * What a mail of ours tells of: a refund to its customer, a question that stays open to the operators, a receipt to who
 * asked for it, a kiosk's one-time code, a subscription that waits to be confirmed, a document of an order to its customer,
 * the link to a new password, an account that waits to be confirmed, a webhook endpoint that took nothing for a day.
 */
export const mailKinds = [
  'refund',
  'uncertain_refund',
  'receipt',
  'one_time_code',
  'newsletter_confirmation',
  'document',
  'password_reset',
  'account_confirmation',
  'endpoint_paused',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** What of an order the platform's own routes send to its customer (platform facts 5.4, 6, 7.1). */
export const mailedDocuments = ['order', 'invoice', 'shipment', 'creditmemo'] as const;
export type MailedDocument = (typeof mailedDocuments)[number];

export const mailStates = ['waiting', 'sent', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];

/**
 * How long a sender holds a mail; it renews that while it works. One that was silent for so long counts as dead, and
 * the mail is sent again under the same Message-ID.
 */
export const holdSeconds = 8;

/** How long a receipt's mail waits for its PDF, from its posting on. Then it goes without, and says so. */
export const pdfPatienceSeconds = 600;

/** Minutes until the next try after each failure. A mail server that is away longer loses the mail. */
const pauses = [1, 5, 30, 120, 480, 960];

/** Undefined after so many failures that the mail is given up. */
export const nextTryMinutes = (tries: number): number | undefined => pauses[tries - 1];

/** Seconds until the next try of an urgent mail; the last pause repeats until the mail is too old. */
const urgentPauses = [2, 4, 8, 15];
const longestUrgentPause = 30;

export const nextUrgentTrySeconds = (tries: number): number => urgentPauses[tries - 1] ?? longestUrgentPause;
