import { outsideName } from '../installation/outside-name.ts';

/**
 * What the gateway knows an attempt by, and look-ups ask for: one per attempt, and no attempt of another database has it.
 * (The idempotency key is the intent's.)
 */
export const merchantReference = ({ attemptId, nameTail }: { attemptId: number; nameTail: string | null }): string =>
  outsideName(`refund-attempt-${attemptId}`, nameTail);
