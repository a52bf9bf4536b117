/**
 * What a mail of ours tells of: a refund to its customer, a question that stays open to the operators, a receipt to who
 * asked for it, a kiosk's one-time code, a subscription that waits to be confirmed.
 */
export const mailKinds = ['refund', 'uncertain_refund', 'receipt', 'one_time_code', 'newsletter_confirmation'] as const;
export type MailKind = (typeof mailKinds)[number];

export const mailStates = ['waiting', 'sent', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];

/**
 * How long one sending may take at most: after that its sender is taken for dead and the mail goes out again, under the
 * same Message-ID. Well above what the activity gets.
 */
export const sendingSeconds = 150;

/** The same for a mail that somebody stands and waits for: it is worth nothing when it comes late. */
export const urgentSendingSeconds = 25;

/** Minutes until the next try after each failed one; a server that is away for a day loses the mail. */
const pauses = [1, 5, 30, 120, 480, 960];

/** Undefined when a mail that failed so often is given up. */
export const nextTryMinutes = (tries: number): number | undefined => pauses[tries - 1];

/** Seconds until the next try of a mail that somebody waits for; the last one for all further ones, until it is dead. */
const urgentPauses = [2, 4, 8, 15];
const longestUrgentPause = 30;

export const nextUrgentTrySeconds = (tries: number): number => urgentPauses[tries - 1] ?? longestUrgentPause;
