/** Whether two names in the books are two people: a person who gave another new credentials may act as that person. */

/** A passcode or a second factor that one gave another. Persons are named alike everywhere, such as by e-mail. */
export interface CredentialGift {
  to: string;
  from: string;
}

/** How long credentials that were given count as the giver's as well. */
export const giftHours = 24;

/** A person, and everyone who may act as that person by what was given, directly or through others. */
function controllersOf(person: string, gifts: readonly CredentialGift[]): ReadonlySet<string> {
  const found = new Set([person]);
  for (const one of found) for (const { to, from } of gifts) if (to === one) found.add(from);
  return found;
}

/**
 * Two people decide where no one may act as both: neither gave the other credentials, and no third person gave both
 * theirs.
 *
 * @returns undefined where they are two people, else who may act as both
 */
export function actsAsBoth(first: string, second: string, gifts: readonly CredentialGift[]): string | undefined {
  const ofFirst = controllersOf(first, gifts);
  return [...controllersOf(second, gifts)].find((one) => ofFirst.has(one));
}
