import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { canonicalJson } from '../../../domain/canonical-json.ts';

/** Operations digested before other requests get their turn. */
const atOnce = 200;

/** What identifies the operations of a bulk in the fingerprint of its request, made in pieces: SHA-256 of each. */
export async function digestsOf(bodies: readonly object[]): Promise<string[]> {
  const digests: string[] = [];
  for (const body of bodies) {
    digests.push(hash('sha256', canonicalJson(body)));
    if (digests.length % atOnce === 0) await setImmediate();
  }
  return digests;
}
