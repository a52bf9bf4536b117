/** How long callers wait for work that another process does. Our choice: the interface sets no times. */

/** Work that a caller waits for begins within this time, by the database's clock, or never. */
export const beginWithinSeconds = 3;

/** The longest transaction of a step: what began in time has ended after it, or never happened. */
export const longestTransactionSeconds = 4;

/** After this time a caller reads the row: what it shows is the truth. */
export const answerWithinMs = (beginWithinSeconds + longestTransactionSeconds) * 1_000;
