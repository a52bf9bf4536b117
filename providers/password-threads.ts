import { Threads } from './threads.ts';
import type { PasswordAnswer, PasswordJob } from './password-worker.ts';

/**
 * Groups of callers that wait for hashing. Customers and callers without a token form one group, which never uses the
 * cashiers' thread.
 */
export type CallerGroup = 'staff' | 'anonymous';

/** Threads that hash, 28 passwords a second. Refused with 503: too many callers of a group are waiting. */
export const createPasswordThreads = () =>
  new Threads<PasswordJob, PasswordAnswer, CallerGroup>({
    file: new URL('./password-worker.ts', import.meta.url),
    serves: [['staff'], ['anonymous', 'staff']],
    mostWaiting: { staff: 128, anonymous: 32 },
    tooMany: 'Too many sign-ins at once. Please try again later.',
    ended: 'the password worker ended',
  });
