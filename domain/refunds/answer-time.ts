/** How long a refund through a gateway may take while a cashier waits. Our choice: the spec names no time. */

/** For one look-up. */
export const lookUpSeconds = 8;

/** Between look-ups: most doubts are over within seconds. */
export const pausesBetweenLookUps = [1, 2] as const;

/** For all that is not the gateway: rows, workflow steps, a worker that has much to do. */
const ownSeconds = 10;

/**
 * The longest time in which a gateway that answers nothing, neither the call nor a look-up, is known to be one: then the
 * cashier is told that nobody knows (spec 4.8 `gateway_uncertain`). Whoever waits for a refund waits at least so long.
 */
export const longestAnswerSeconds = (gatewayTimeoutSeconds: number): number =>
  gatewayTimeoutSeconds +
  lookUpSeconds * (pausesBetweenLookUps.length + 1) +
  pausesBetweenLookUps.reduce((sum, pause) => sum + pause, 0) +
  ownSeconds;
