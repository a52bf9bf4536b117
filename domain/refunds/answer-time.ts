/** How long a refund through a gateway may take while a cashier waits. Our choice: the spec sets no time. */

/** For one look-up, in seconds. */
export const lookUpSeconds = 8;

/** Between look-ups: most doubts are resolved within seconds. */
export const pausesBetweenLookUps = [1, 2] as const;

/** For everything except the gateway: rows, workflow steps, a busy worker. */
const ownSeconds = 7;

/**
 * The longest time from the deadline of a call until a worker that lives has written down that the gateway answers neither
 * the call nor a look-up (spec 4.8 `gateway_uncertain`). Every caller that waits for a refund waits at least this long.
 */
export const afterCallSeconds: number =
  lookUpSeconds * (pausesBetweenLookUps.length + 1) +
  pausesBetweenLookUps.reduce((sum, pause) => sum + pause, 0) +
  ownSeconds;
