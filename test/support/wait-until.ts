import { setTimeout as pause } from 'node:timers/promises';

const betweenLooksMs = 50;

/**
 * Waits until something outside this process is true. After as many looks as a quiet machine makes in the time, it
 * fails with the sentence: on a busy machine each look takes longer, and so does what is waited for.
 */
export async function waitUntil(sentence: string, holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  for (let looks = withinMs / betweenLooksMs; looks > 0; looks--) {
    if (await holds()) return;
    await pause(betweenLooksMs);
  }
  throw new Error(`In vain, waited until ${sentence}`);
}
