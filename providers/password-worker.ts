import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';

/** The platform's own cost: about 70 ms on a usual machine. */
const cost = 10;

export type PasswordJob = { password: string } & ({ kind: 'hash' } | { kind: 'verify'; hash: string });
/** The answer to the previous job: a thread has one job at a time. */
export interface PasswordAnswer {
  /** The hash, or whether the password fits. */
  result: string | boolean;
}

parentPort?.on('message', (job: PasswordJob) => {
  const result = job.kind === 'hash' ? hashSync(job.password, cost) : compareSync(job.password, job.hash);
  const answer: PasswordAnswer = { result };
  parentPort?.postMessage(answer);
});
