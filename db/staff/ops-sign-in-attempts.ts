import type { EntityManager } from '@mikro-orm/postgresql';
import { clearAttempts, countAttempts, forgetAttempt, type Bucket } from '../support/rate-limit.ts';

/**
 * Failed sign-ins at the operator's page, which no other entry point counts or reads: a stranger at `/ops/sign-in`
 * locks no register, no token route and no other address.
 */

const windowSeconds = 3_600;
/** So many failures of one name in an hour, from any addresses, and the second factor is checked first. */
export const maxFailuresOfName = 20;
/** The same, of one name from one address. */
export const maxFailuresOfNameAtAddress = 5;
/** Counted no further. */
const limit = 1_000_000;

const ofName = (nameKey: string): Bucket => ({ name: `ops sign-in ${nameKey}`, limit, windowSeconds });
const ofNameAtAddress = (nameKey: string, network: string): Bucket => ({
  ...{ name: `ops sign-in ${nameKey} from ${network}`, limit, windowSeconds },
});

/** What is signed in to, and where the request came from. */
export interface OpsAttempt {
  /** The typed name in the form that is compared. */
  nameKey: string;
  /** The client's address; of IPv6 its network. */
  network: string;
}

export interface OpsFailures {
  /** Failures of the name in the current hour, this attempt included. */
  ofName: number;
  /** The password decides only together with a right code of the second factor. */
  isFactorFirst: boolean;
}

/** Counts an attempt as failed before it is checked, so that concurrent guesses get no further than these limits. */
export async function countOpsAttempt(em: EntityManager, { nameKey, network }: OpsAttempt): Promise<OpsFailures> {
  const [all = 0, here = 0] = await countAttempts(em, [ofName(nameKey), ofNameAtAddress(nameKey, network)]);
  return { ofName: all, isFactorFirst: all > maxFailuresOfName || here > maxFailuresOfNameAtAddress };
}

/** Takes an attempt back that could not be checked. */
export const releaseOpsAttempt = (em: EntityManager, { nameKey, network }: OpsAttempt): Promise<void> =>
  forgetAttempt(em, [ofName(nameKey), ofNameAtAddress(nameKey, network)]);

/**
 * The sign-in succeeded: the count of this address starts again. Failures from other addresses still count, so that a
 * success of the owner gives an attacker no further guesses.
 */
export async function clearOpsAttempts(em: EntityManager, { nameKey, network }: OpsAttempt): Promise<void> {
  await forgetAttempt(em, [ofName(nameKey)]);
  await clearAttempts(em, [ofNameAtAddress(nameKey, network)]);
}

/** An administrator unlocked the name. A repeat changes nothing. */
export const unlockOpsName = (em: EntityManager, nameKey: string): Promise<number> =>
  clearAttempts(em, [ofName(nameKey)]);

/**
 * Whether a failed sign-in with a name that no account has gets a line of the audit trail: the first hundred of an hour
 * do, so that a stranger cannot fill the table. The log has a line of each.
 */
export async function isUnknownNameAudited(em: EntityManager): Promise<boolean> {
  const [failures = 0] = await countAttempts(em, [{ name: 'ops sign-in of unknown names', limit, windowSeconds }]);
  return failures <= 100;
}
