import { parentPort } from 'node:worker_threads';

/** A job as a thread gets it. */
export interface Numbered<Job> {
  number: number;
  job: Job;
}

/** The default export of what a thread of `Threads` runs: it tells when a job begins. */
export const inThread =
  <Job, Answer>(answer: (job: Job) => Answer) =>
  ({ number, job }: Numbered<Job>): Answer => {
    parentPort?.postMessage(number);
    return answer(job);
  };
