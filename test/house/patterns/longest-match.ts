import { Worker } from 'node:worker_threads';
import type { FoundPattern } from './find-patterns.ts';
import type { HostileText } from './hostile-texts.ts';

type TrialStep =
  | { says: 'baseline'; baselineMs: number }
  | { says: 'begins'; text: HostileText }
  | { says: 'ends'; ms: number }
  | { says: 'done' };

/**
 * Linear patterns stay below ten times the baseline here; what is read anew from each sign takes thousands of times.
 */
const mostTimesBaseline = 60;
/** A busy machine may stop the thread for as long. What is read anew takes half a second at least. */
const leastLimitMs = 200;
/** Until the thread is up and knows its baseline, or has the next text. */
const startMs = 60_000;

/** Tries patterns on hostile texts, one thread after the other. */
export interface Trial {
  /** @returns the text that took too long, as a JSON text; undefined where all went well */
  tooLongFor(pattern: Pick<FoundPattern, 'source' | 'flags'>): Promise<string | undefined>;
  end(): Promise<void>;
}

/** @param attempts on a machine that may be busy with something else, more than one */
export function startTrial({ attempts }: { attempts: number }): Trial {
  let worker: Worker | undefined;
  const once = async (pattern: Pick<FoundPattern, 'source' | 'flags'>) => {
    worker ??= new Worker(new URL('match-all.ts', import.meta.url));
    const slow = await slowTextOf(worker, pattern);
    if (slow === undefined) return undefined;
    await worker.terminate();
    worker = undefined;
    return JSON.stringify(slow);
  };
  return {
    async tooLongFor(pattern) {
      let slow: string | undefined;
      for (let attempt = 1; attempt <= attempts; attempt++) {
        slow = await once(pattern);
        if (slow === undefined) return undefined;
      }
      return slow;
    },
    end: async () => void (await worker?.terminate()),
  };
}

function slowTextOf(
  worker: Worker,
  { source, flags }: Pick<FoundPattern, 'source' | 'flags'>,
): Promise<HostileText | undefined> {
  return new Promise((resolve, reject) => {
    let limitMs = leastLimitMs;
    let text: HostileText | undefined;
    let timer = setTimeout(() => undefined, 0);
    const done = (slow: HostileText | undefined) => {
      clearTimeout(timer);
      worker.removeListener('message', hear).removeListener('error', reject);
      resolve(slow);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = text
        ? setTimeout(done, limitMs, text)
        : setTimeout(() => reject(new Error('The thread does not go on.')), startMs);
    };
    const hear = (step: TrialStep) => {
      if (step.says === 'baseline') limitMs = Math.max(step.baselineMs * mostTimesBaseline, leastLimitMs);
      if (step.says === 'begins') ({ text } = step);
      if (step.says === 'done') return done(undefined);
      if (step.says === 'ends' && step.ms > limitMs) return done(text);
      if (step.says === 'ends') text = undefined;
      wait();
    };
    worker.on('message', hear).on('error', reject);
    worker.postMessage({ source, flags });
    wait();
  });
}
