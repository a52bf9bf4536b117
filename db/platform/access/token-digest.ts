import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyLength } from '../../../domain/platform/access.ts';

/** A new bearer token: 256 random bits. Only its digest is stored. */
export const newToken = () => randomBytes(32).toString('base64url');

/** The digest by which the database finds a token; a reader of the table cannot use it. */
export const digestOf = (token: string) => hash('sha256', token);

/** Compares secrets in constant time, so that the time does not show where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [ours, theirs] = [Buffer.from(one), Buffer.from(other)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

/** A key, token or secret of 32 letters and digits, as clients of the platform know them: 190 random bits. */
export function newKey(): string {
  let key = '';
  while (key.length < keyLength) key += randomBytes(keyLength).toString('base64').replaceAll(/[+/=]/g, '');
  return key.slice(0, keyLength);
}
