/** How long a refund through a gateway may take while a cashier waits. Our choice: the spec sets no time. */

/** For one look-up, in seconds. */
export const lookUpSeconds = 8;

/** Between look-ups: most doubts are resolved within seconds. */
export const pausesBetweenLookUps = [1, 2] as const;

/** For everything except the gateway: rows, workflow steps, a busy worker. */
const ownSeconds = 10;

/**
 * The longest time until the cashier learns that a gateway answers neither the call nor a look-up (spec 4.8
 * `gateway_uncertain`). Every caller that waits for a refund waits at least this long.
 */
export const longestAnswerSeconds = (gatewayTimeoutSeconds: number): number =>
  gatewayTimeoutSeconds +
  lookUpSeconds * (pausesBetweenLookUps.length + 1) +
  pausesBetweenLookUps.reduce((sum, pause) => sum + pause, 0) +
  ownSeconds;
