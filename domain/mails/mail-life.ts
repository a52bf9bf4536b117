/**
 * The kinds of mail: a refund to its customer, an open question to the operators, a receipt to its requester, a
 * kiosk's one-time code, a subscription to confirm.
 */
export const mailKinds = ['refund', 'uncertain_refund', 'receipt', 'one_time_code', 'newsletter_confirmation'] as const;
export type MailKind = (typeof mailKinds)[number];

export const mailStates = ['waiting', 'sent', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];

/**
 * The longest time one sending may take. After that the sender counts as dead, and the mail is sent again under the
 * same Message-ID. Well above the activity's timeout.
 */
export const sendingSeconds = 150;

/** The same for a mail that a customer waits for at the kiosk: it is useless when it comes late. */
export const urgentSendingSeconds = 25;

/** Minutes until the next try after each failure. A mail server that is away longer loses the mail. */
const pauses = [1, 5, 30, 120, 480, 960];

/** Undefined after so many failures that the mail is given up. */
export const nextTryMinutes = (tries: number): number | undefined => pauses[tries - 1];

/** Seconds until the next try of an urgent mail; the last pause repeats until the mail is too old. */
const urgentPauses = [2, 4, 8, 15];
const longestUrgentPause = 30;

export const nextUrgentTrySeconds = (tries: number): number => urgentPauses[tries - 1] ?? longestUrgentPause;
