import { createHmac, hash, randomBytes } from 'node:crypto';
import { bulkPurpose } from '../../../db/sealed-columns.ts';
import type { OperationSources } from '../../../domain/bulk.ts';
import { invalid } from '../../../domain/errors.ts';
import type { Settings } from '../../../providers/settings.ts';
import { secretBoxOf } from '../secret-box.ts';

/** Arguments that must not be readable in the database, without case and underscores. */
const secretKeys: ReadonlySet<string> = new Set([
  ...['password', 'newpassword', 'currentpassword', 'passcode'],
  ...['token', 'receipttoken', 'resettoken', 'resetpasswordlinktoken', 'confirmationkey'],
]);

const isSecret = (key: string) => secretKeys.has(key.toLowerCase().replaceAll('_', ''));

/** Whether a value has a secret, at any depth. */
const hasSecret = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, inner]) => (isSecret(key) && inner !== null && inner !== '') || hasSecret(inner));

/**
 * An operation as it may wait in the database: query and body are sealed when one of them has a password, a passcode, a
 * token or a key.
 *
 * Refused with: 400 there is no key to seal it with.
 */
export function sealed(sources: OperationSources, settings: Settings): OperationSources {
  const { path, query, body } = sources;
  if (!hasSecret({ query, body })) return sources;
  if (settings.POS_SECRET_KEY === undefined)
    throw invalid('A password cannot wait where POS_SECRET_KEY is not set; send it to the route itself.');
  const sealedArguments = secretBoxOf(settings).seal(JSON.stringify({ query, body }), bulkPurpose);
  return { path, query: {}, body: {}, sealedArguments };
}

/** The operation as it was asked. */
export function opened({ sealedArguments, ...sources }: OperationSources, settings: Settings): OperationSources {
  if (sealedArguments === undefined) return sources;
  return { path: sources.path, ...JSON.parse(secretBoxOf(settings).open(sealedArguments, bulkPurpose)) };
}

/**
 * A digest of an operation's body, as JSON `text`: SHA-256. For a body with a secret it is keyed, so the secret cannot
 * be guessed from it.
 */
export function digestOfBody(text: string, { query, body }: OperationSources, settings: Settings): string {
  if (!hasSecret({ query, body })) return hash('sha256', text);
  if (settings.POS_SECRET_KEY === undefined) return createHmac('sha256', randomBytes(32)).update(text).digest('hex');
  return secretBoxOf(settings).digest(text, bulkPurpose);
}
