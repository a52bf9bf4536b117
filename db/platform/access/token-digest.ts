import { hash, randomBytes } from 'node:crypto';

/** A new bearer token: 256 random bits. Only its digest is stored. */
export const newToken = () => randomBytes(32).toString('base64url');

/** What the database knows a token by; whoever reads the table cannot use it. */
export const digestOf = (token: string) => hash('sha256', token);
