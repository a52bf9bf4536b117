import { setTimeout as pause } from 'node:timers/promises';

/** Waits for something outside this process to become true, looking often; fails with the sentence after the time. */
export async function waitUntil(sentence: string, holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  for (const until = Date.now() + withinMs; Date.now() < until; await pause(50)) if (await holds()) return;
  throw new Error(`In vain, waited until ${sentence}`);
}
