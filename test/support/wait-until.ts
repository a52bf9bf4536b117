import { setTimeout as pause } from 'node:timers/promises';

/** Waits until something outside this process is true. After the time it fails with the sentence. */
export async function waitUntil(sentence: string, holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  for (const until = Date.now() + withinMs; Date.now() < until; await pause(50)) if (await holds()) return;
  throw new Error(`In vain, waited until ${sentence}`);
}
