import type { Surroundings } from './route.ts';

/** Set where a route knows that it answers what an earlier request booked, and that this one booked nothing more. */
export const replayHeader = 'Idempotent-Replayed';

/** In a header, because an answer's keys are the interface's: a register that does not look at it misses nothing. */
export const tellReplay = ({ setHeader }: Pick<Surroundings, 'setHeader'>): void => setHeader(replayHeader, 'true');
