/** What a mail of ours tells of: a refund to its customer, an open question to the operators, a receipt to who asked for it. */
export const mailKinds = ['refund', 'uncertain_refund', 'receipt'] as const;
export type MailKind = (typeof mailKinds)[number];

export const mailStates = ['waiting', 'sent', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];

/**
 * How long one sending may take at most: after that its sender is taken for dead and the mail goes out again, under the
 * same Message-ID. Well above what the activity gets.
 */
export const sendingSeconds = 150;

/** Minutes until the next try after each failed one; a server that is away for a day loses the mail. */
const pauses = [1, 5, 30, 120, 480, 960];

/** Undefined when a mail that failed so often is given up. */
export const nextTryMinutes = (tries: number): number | undefined => pauses[tries - 1];
