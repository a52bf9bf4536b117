/** How long callers wait for work that another process does. Our choice: the interface sets no times. */

/** Work that a caller waits for begins within this time, by the database's clock, or never. */
export const beginWithinSeconds = 3;

/** The longest transaction of a step: what began in time has ended after it, or never happened. */
export const longestTransactionSeconds = 4;

/** After this time a caller reads the row: what it shows is the truth. */
export const answerWithinMs = (beginWithinSeconds + longestTransactionSeconds) * 1_000;

/**
 * A write is answered within eight seconds of the request's start, whatever is frozen: this time, and a
 * moment to write the answer. The work goes on behind it.
 */
export const answerWriteWithinMs = answerWithinMs + 800;

/**
 * How long a worker that stops waits for what it has begun: a gateway's call gets its answer, and the answer its
 * booking. Otherwise each deploy would leave doubts.
 */
export const workerGraceMs = ({ gatewayTimeoutSeconds }: { gatewayTimeoutSeconds: number }): number =>
  (gatewayTimeoutSeconds + 5) * 1_000;

/** After this time it stops whatever is left. */
export const workerEndMs = (of: { gatewayTimeoutSeconds: number }): number => workerGraceMs(of) + 3_000;

/**
 * How long requests may still take when the API is asked to end: one may wait for a worker that waits for a gateway.
 */
export const apiGraceMs = ({ gatewayTimeoutSeconds }: { gatewayTimeoutSeconds: number }): number =>
  Math.max(10, gatewayTimeoutSeconds + 5) * 1_000;

/** How long a process may take to close its connections, once its work is done. */
const closingMs = 5_000;

/** What runs our processes gives them this long to end, before it kills them: `stop_grace_period` and its like. */
export const endsWithinSeconds = {
  api: (of: { gatewayTimeoutSeconds: number; drainDelaySeconds: number }): number =>
    of.drainDelaySeconds + (apiGraceMs(of) + closingMs) / 1_000,
  worker: (of: { gatewayTimeoutSeconds: number }): number => (workerEndMs(of) + closingMs) / 1_000,
};
