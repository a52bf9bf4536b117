import type { OperationSources } from '../../../domain/bulk/operation-status.ts';
import { invalid } from '../../../domain/errors.ts';
import type { Settings } from '../../../providers/settings.ts';
import { secretBoxOf } from '../register/secret-box-of.ts';

/** With it the bodies that wait are sealed. */
const sealedFor = 'bulk operation';
const secretKeys: ReadonlySet<string> = new Set(['password', 'passcode']);

/** Whether a body has a password or a passcode, at any depth. */
const hasSecret = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(
    ([key, inner]) => (secretKeys.has(key.toLowerCase()) && inner !== null && inner !== '') || hasSecret(inner),
  );

/**
 * An operation as it may wait in the database: a body with a password is sealed.
 *
 * Refused with: 400 there is no key to seal it with.
 */
export function sealed(sources: OperationSources, settings: Settings): OperationSources {
  if (!hasSecret(sources.body)) return sources;
  if (settings.POS_SECRET_KEY === undefined)
    throw invalid('A password cannot wait where POS_SECRET_KEY is not set; send it to the route itself.');
  const sealedBody = secretBoxOf(settings).seal(JSON.stringify(sources.body), sealedFor);
  return { ...sources, body: {}, sealedBody };
}

/** The operation as it was asked. */
export function opened({ sealedBody, ...sources }: OperationSources, settings: Settings): OperationSources {
  if (sealedBody === undefined) return sources;
  return { ...sources, body: JSON.parse(secretBoxOf(settings).open(sealedBody, sealedFor)) };
}

/** A digest that no passcode can be guessed from. */
export const keyedDigest = (text: string, settings: Settings): string => secretBoxOf(settings).digest(text, sealedFor);
