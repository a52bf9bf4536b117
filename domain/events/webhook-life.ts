/** How an endpoint is tried, and when it is given up (`docs/inside/events.md`). Pure: no clock. */

export const endpointStates = ['on', 'off', 'paused'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** `standard`: the signed event, after Standard Webhooks. `slack`: one sentence, as Slack and its likes take it. */
export const endpointFormats = ['standard', 'slack'] as const;
export type EndpointFormat = (typeof endpointFormats)[number];

export const deliveryStates = ['waiting', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Each endpoint has a place of its own at the workers, so a shop may have so many. */
export const mostEndpoints = 32;

const second = 1;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A delivery that failed so long is given up; the next event of its object follows. */
export const triedForSeconds = 3 * day;

/** An endpoint that took nothing for so long is paused, and somebody is told. */
export const pausedAfterSeconds = day;

/** How long both secrets sign after a rotation. */
export const overlapSeconds = day;

/** The pauses between the tries of one delivery; the last one repeats. As Standard Webhooks recommends, shorter at first. */
const pauses = [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];

export const pauseAfter = (tries: number): number => pauses[Math.min(tries, pauses.length) - 1] ?? 10 * hour;

/** Failures in a row after which the endpoint, not the event, is the cause: then one delivery at a time asks it. */
export const failuresOfAnEndpoint = 5;

/** How long an endpoint is left alone that fails whatever it is sent. */
export const holdAfter = (failures: number): number =>
  failures < failuresOfAnEndpoint ? 0 : Math.min(hour, 5 * second * 2 ** Math.min(failures - failuresOfAnEndpoint, 12));
