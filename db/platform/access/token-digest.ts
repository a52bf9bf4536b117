import { hash, randomBytes } from 'node:crypto';
import { keyLength } from '../../../domain/platform/access/oauth-request.ts';

/** A new bearer token: 256 random bits. Only its digest is stored. */
export const newToken = () => randomBytes(32).toString('base64url');

/** The digest by which the database finds a token; a reader of the table cannot use it. */
export const digestOf = (token: string) => hash('sha256', token);

/** A key, token or secret of 32 letters and digits, as clients of the platform know them: 190 random bits. */
export function newKey(): string {
  let key = '';
  while (key.length < keyLength) key += randomBytes(keyLength).toString('base64').replaceAll(/[+/=]/g, '');
  return key.slice(0, keyLength);
}
