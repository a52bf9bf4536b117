import { releaseLoginAttempt, reserveLoginAttempt } from '../../db/staff/login-attempts.ts';
import { findPasscodeHash } from '../../db/staff/staff.repository.ts';
import { inLane } from '../../db/support/connections/lanes.ts';
import { countAttempt, forgetAttempt, type Bucket } from '../../db/support/rate-limit.ts';
import { credentialsNotValid, tooManyFailedAttempts } from '../../domain/refusals/register.ts';
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

async function reserve(em: RouteContext['em'], key: string, buckets: readonly Bucket[]): Promise<void> {
  const waitSeconds = await reserveLoginAttempt(em, key);
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  if (await countAttempt(em, buckets)) return;
  await releaseLoginAttempt(em, key);
  throw tooMany(windowSeconds);
}

const tooMany = (seconds: number) => tooManyFailedAttempts([seconds]);

/** A guess that could not be checked is not counted. */
async function verify(
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

/**
 * Who has this e-mail and passcode. Wrong ones are counted under `key`, and at the place of the buckets.
 *
 * Refused with: 401 a wrong passcode, an unknown or inactive person, too many guesses.
 */
export async function holderOf(
  { em, providers }: Pick<RouteContext, 'em' | 'providers'>,
  { account, key, buckets, passcode }: { account: string; key: string; buckets: readonly Bucket[]; passcode: string },
): Promise<{ staffId: number }> {
  const [member] = await Promise.all([findPasscodeHash(em, account), reserve(em, key, buckets)]);
  const fits = await verify({ em, providers }, { key, buckets, passcode, hash: member?.passcodeHash });
  if (!fits || !member?.isActive) throw credentialsNotValid();
  return member;
}
