import { compareSync, hashSync } from 'bcryptjs';
import { inThread } from './in-thread.ts';

/** The platform's own cost: about 70 ms on a usual machine. */
const cost = 10;

export type PasswordJob = { password: string } & ({ kind: 'hash' } | { kind: 'verify'; hash: string });
/** The hash, or whether the password fits. */
export type PasswordAnswer = string | boolean;

export default inThread((job: PasswordJob): PasswordAnswer =>
  job.kind === 'hash' ? hashSync(job.password, cost) : compareSync(job.password, job.hash),
);
