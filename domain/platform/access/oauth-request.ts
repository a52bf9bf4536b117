import { fieldRequired, invalid, invalidInput, unauthorized } from '../../errors.ts';

/** A name and a value, decoded. */
export type Pair = readonly [name: string, value: string];

export type SignatureMethod = 'HMAC-SHA256' | 'HMAC-SHA1';

/** The fields of a signed request's `Authorization` header (RFC 5849 3.5.1). */
export interface SignedBy {
  consumerKey: string;
  token: string;
  nonce: string;
  /** Seconds since 1970. */
  timestamp: number;
  method: SignatureMethod;
  signature: string;
  /** All signed pairs of the header: without the realm and the signature. */
  pairs: readonly Pair[];
}

/** The length of a key, a token and a secret, as clients of the platform know them. */
export const keyLength = 32;
const mostNonce = 255;
/** How many seconds a clock may be wrong, either way; the platform permits the same for clocks that are ahead. */
export const clockWindowSeconds = 600;

const required = [
  'oauth_consumer_key',
  'oauth_signature',
  'oauth_signature_method',
  'oauth_nonce',
  'oauth_timestamp',
  'oauth_token',
];

/** Any other header is not a signature: a bearer token, or no caller. */
export const isSigned = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && /^oauth\s/i.test(authorization);

/**
 * Reads `OAuth oauth_consumer_key="…", …`.
 *
 * Refused in the platform's words with: 400 something is missing, twice or unreadable, another version or method, a token of
 * another length · 401 a consumer key of another length, a moment outside the window.
 */
export function readSignature(authorization: string, now: Date): SignedBy {
  const parts = authorization.replace(/^oauth\s+/i, '').match(betweenCommas) ?? [];
  const pairs = parts.flatMap(readPair);
  const values = new Map(pairs);
  if (values.size < pairs.length) throw unreadable();
  const version = values.get('oauth_version');
  if (version !== undefined && version !== '1.0') throw invalid(`The "%1" Oauth version isn't supported.`, [version]);
  const missing = required.filter((name) => !values.get(name));
  if (missing.length > 0) throw invalidInput(missing.map((name) => inputError(name)));
  const of = (name: string) => values.get(name) ?? '';
  if (of('oauth_token').length !== keyLength)
    throw invalid('The token length is invalid. Check the length and try again.');
  const method = of('oauth_signature_method');
  if (method !== 'HMAC-SHA256' && method !== 'HMAC-SHA1')
    throw invalid('Signature method %1 is not supported', [method]);
  if (of('oauth_consumer_key').length !== keyLength) throw unauthorized('Consumer key is not the correct length');
  if (of('oauth_nonce').length > mostNonce) throw unreadable();
  return {
    consumerKey: of('oauth_consumer_key'),
    token: of('oauth_token'),
    nonce: of('oauth_nonce'),
    timestamp: readTimestamp(of('oauth_timestamp'), now),
    method,
    signature: of('oauth_signature'),
    pairs: pairs.filter(([name]) => name !== 'oauth_signature'),
  };
}

const inputError = (fieldName: string) => {
  const { message, parameters = {} } = fieldRequired(fieldName);
  return { message, parameters };
};

const unreadable = () => invalid('Specified request cannot be processed.');

/** A comma within quotes is part of a value. A quote without an end is a part of its own and cannot be read. */
const betweenCommas = /(?:[^,"]|"[^"]*")+|"/g;

/** The realm is neither signed nor encoded. */
function readPair(part: string): Pair[] {
  if (part.trim() === '') return [];
  const match = /^\s*([^\s="]+)\s*=\s*"([^"]*)"\s*$/.exec(part);
  if (!match) throw unreadable();
  if (match[1] === 'realm') return [];
  return [[decode(match[1] ?? ''), decode(match[2] ?? '')]];
}

function readTimestamp(text: string, now: Date): number {
  const timestamp = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  const isNear = Math.abs(timestamp - now.getTime() / 1_000) <= clockWindowSeconds;
  if (!isNear) throw unauthorized('Incorrect timestamp value in the oauth_timestamp parameter');
  return timestamp;
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // Text that is not percent-encoded is refused like the rest.
  }
  throw unreadable();
}

/** The pairs of a query or form, in the order sent (RFC 5849 3.4.1.3.1). Refused with 400 where they cannot be read. */
export const formPairs = (text: string): Pair[] =>
  text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
    });

/** RFC 5849 3.6: encodes everything but letters, digits and `-._~`. */
export const percentEncoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The text that is signed (RFC 5849 3.4.1.1).
 *
 * @param origin such as `https://Shop.example:443`, with a path where the shop does not begin at the root
 * @param path as sent, without the query
 */
export function signatureBase({
  verb,
  origin,
  path,
  pairs,
}: {
  verb: string;
  origin: string;
  path: string;
  pairs: readonly Pair[];
}): string {
  const encoded = pairs.map(([name, value]) => [percentEncoded(name), percentEncoded(value)] as const);
  const sorted = encoded.toSorted(([oneName, one], [otherName, other]) =>
    oneName === otherName ? order(one, other) : order(oneName, otherName),
  );
  const parameters = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  return [verb.toUpperCase(), normalOrigin(origin) + (path === '' ? '/' : path), parameters]
    .map(percentEncoded)
    .join('&');
}

const order = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Scheme and host in small letters, without the scheme's default port (RFC 5849 3.4.1.2). */
function normalOrigin(origin: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z]+):\/\/([^/]*)(.*)$/i.exec(origin) ?? [];
  const usual = scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/;
  return `${scheme.toLowerCase()}://${host.toLowerCase().replace(usual, '')}${rest.replace(/\/$/, '')}`;
}
