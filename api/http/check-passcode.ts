import { releaseLoginAttempt, reserveLoginAttempt } from '../../db/staff/login-attempts.ts';
import { inLane } from '../../db/support/connections/lanes.ts';
import { countAttempt, forgetAttempt, type Bucket } from '../../db/support/rate-limit.ts';
import { tooManyFailedAttempts } from '../../domain/refusals/register.ts';
import { inTurn } from './in-turn.ts';
import type { RouteContext } from './route.ts';

/** Over the connections that are kept for sign-ins. */
export const inTurnOf = <Answer>(key: string, task: () => Promise<Answer>) =>
  inTurn(`staff ${key}`, () => inLane('sign-in', task));

/**
 * Wrong guesses in ten minutes at any addresses (our choice). The limit slows down an attacker who tries one passcode
 * on many people, and does not disturb a shop full of registers.
 */
const windowSeconds = 600;
export const bucketsOf = (terminalId: number | undefined, clientAddress: string): Bucket[] => [
  { name: `sign-in terminal ${terminalId ?? 0}`, limit: 300, windowSeconds },
  { name: `sign-in address ${clientAddress}`, limit: 3_000, windowSeconds },
];

export async function reserve(em: RouteContext['em'], key: string, buckets: readonly Bucket[]): Promise<void> {
  const waitSeconds = await reserveLoginAttempt(em, key);
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  if (await countAttempt(em, buckets)) return;
  await releaseLoginAttempt(em, key);
  throw tooMany(windowSeconds);
}

const tooMany = (seconds: number) => tooManyFailedAttempts([seconds]);

/** A guess that could not be checked is not counted. */
export async function verify(
  { em, providers }: Pick<RouteContext, 'em' | 'providers'>,
  guess: { key: string; buckets: readonly Bucket[]; passcode: string; hash: string | undefined },
): Promise<boolean> {
  try {
    return await providers.passwords.verify(guess.passcode, guess.hash ?? null);
  } catch (error) {
    await releaseLoginAttempt(em, guess.key);
    await forgetAttempt(em, guess.buckets);
    throw error;
  }
}
