import { Worker } from 'node:worker_threads';
import { invalid, unavailable } from '../domain/errors.ts';
import type { PasswordAnswer, PasswordJob } from './password-worker.ts';

/** Passwords and passcodes: hashing takes 70 ms, which the main thread must not stand still for. */
export interface PasswordHasher {
  /** Refused with: 400 more than 72 bytes, which bcrypt would cut off · 503 too many waiting. */
  hash: (password: string) => Promise<string>;
  /**
   * Whether the password fits. Null, for a user nobody knows, takes as long as any other and never fits; so does a
   * password of more than 72 bytes. Refused with 503: too many waiting.
   */
  verify: (password: string, hash: string | null) => Promise<boolean>;
  close: () => Promise<void>;
}

const workers = 2;
/** Two workers answer 28 a second: whoever waits longer than this has given up. */
const maxWaiting = 128;
/** The largest password bcrypt sees whole. */
const maxBytes = 72;
/** Of a random password nobody kept. */
const nobodysHash = '$2b$10$fMsHPyI1T6sdJaBhnsm8Y./K3aNHpmVbD9zX2O.FvRyO6KSTqaewm';

interface Waiting {
  resolve: (result: string | boolean) => void;
  reject: (error: Error) => void;
}

interface Hand {
  worker: Worker;
  jobs: Map<number, Waiting>;
}

/** Two threads, started with the first password; they do not keep a process alive that has nothing to ask them. */
export function createPasswordHasher(): PasswordHasher {
  const hands: Hand[] = [];
  let lastId = 0;

  const ask = (job: DistributiveOmit<PasswordJob, 'id'>): Promise<string | boolean> => {
    const hand = leastBusy(hands);
    if (hands.reduce((sum, { jobs }) => sum + jobs.size, 0) >= maxWaiting)
      return Promise.reject(unavailable('Too many sign-ins at once. Please try again later.'));
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      hand.jobs.set(id, { resolve, reject });
      hand.worker.ref();
      hand.worker.postMessage({ ...job, id });
    });
  };

  return {
    async hash(password) {
      if (Buffer.byteLength(password) > maxBytes)
        throw invalid('The password must not be longer than %1 bytes.', [maxBytes]);
      return String(await ask({ kind: 'hash', password }));
    },
    async verify(password, hash) {
      const isTooLong = Buffer.byteLength(password) > maxBytes;
      const fits = await ask({ kind: 'verify', password: isTooLong ? '' : password, hash: hash ?? nobodysHash });
      return fits === true && hash !== null && !isTooLong;
    },
    async close() {
      await Promise.all(hands.splice(0).map(({ worker }) => worker.terminate()));
    },
  };
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

function leastBusy(hands: Hand[]): Hand {
  const idle = hands.find(({ jobs }) => jobs.size === 0);
  if (idle) return idle;
  if (hands.length < workers) return hire(hands);
  return hands.reduce((least, hand) => (hand.jobs.size < least.jobs.size ? hand : least));
}

function hire(hands: Hand[]): Hand {
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
  const hand: Hand = { worker, jobs: new Map() };
  worker.on('message', ({ id, result }: PasswordAnswer) => {
    hand.jobs.get(id)?.resolve(result);
    hand.jobs.delete(id);
    if (hand.jobs.size === 0) worker.unref();
  });
  // A thread that dies takes its questions with it; the next one asked gets a new thread.
  worker.once('error', (error) => dismiss(hands, hand, error));
  worker.once('exit', () => dismiss(hands, hand, new Error('the password worker ended')));
  worker.unref();
  hands.push(hand);
  return hand;
}

function dismiss(hands: Hand[], hand: Hand, error: Error): void {
  const at = hands.indexOf(hand);
  if (at >= 0) hands.splice(at, 1);
  for (const { reject } of hand.jobs.values()) reject(error);
  hand.jobs.clear();
}
