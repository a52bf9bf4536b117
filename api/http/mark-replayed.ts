import type { RouteContext } from './route.ts';

/** Set where a route knows that an earlier request booked the answer, and that this one booked nothing. */
export const replayHeader = 'Idempotent-Replayed';

/** A header, because the interface defines the answer's keys. A register may ignore it. */
export const markReplayed = ({ setHeader }: Pick<RouteContext, 'setHeader'>): void => setHeader(replayHeader, 'true');
