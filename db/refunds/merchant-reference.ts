import { outsideName } from '../installation/outside-name.ts';

/**
 * The gateway's name for an attempt, used for look-ups: one per attempt, and unique across databases. (The
 * idempotency key belongs to the intent.)
 */
export const merchantReference = ({ attemptId, nameTail }: { attemptId: number; nameTail: string }): string =>
  outsideName(`refund-attempt-${attemptId}`, nameTail);
