import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  formPairs,
  isSigned,
  percentEncoded,
  readSignature,
  signatureBase,
} from '../../../../domain/platform/access.ts';

const key = 'k'.repeat(32);
const now = new Date('2026-11-21T09:00:00Z');
const seconds = now.getTime() / 1_000;
const header = (fields: Record<string, string | undefined> = {}) => {
  const all: Record<string, string | undefined> = {
    realm: 'shop',
    oauth_consumer_key: key,
    oauth_token: 't'.repeat(32),
    oauth_nonce: 'n1',
    oauth_timestamp: String(seconds),
    oauth_signature_method: 'HMAC-SHA256',
    oauth_signature: 'abc%3D',
    oauth_version: '1.0',
    ...fields,
  };
  const parts = Object.entries(all).filter(([, value]) => value !== undefined);
  return `OAuth ${parts.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
};

describe('what RFC 5849 states', () => {
  test('the base string of 3.4.1.1, with query, header and form', () => {
    const base = signatureBase({
      verb: 'post',
      origin: 'http://EXAMPLE.com:80',
      path: '/request',
      pairs: [
        ...formPairs('b5=%3D%253D&a3=a&c%40=&a2=r%20b'),
        ['oauth_consumer_key', '9djdj82h48djs9d2'],
        ['oauth_token', 'kkk9d7dh3k39sjv7'],
        ['oauth_signature_method', 'HMAC-SHA1'],
        ['oauth_timestamp', '137131201'],
        ['oauth_nonce', '7d8f3e4a'],
        ...formPairs('c2&a3=2+q'),
      ],
    });
    expect(base).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest' +
        '&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    );
  });

  test('the signature of the photos in 1.2', () => {
    const base = signatureBase({
      verb: 'GET',
      origin: 'http://photos.example.net',
      path: '/photos',
      pairs: [
        ...formPairs('file=vacation.jpg&size=original'),
        ['oauth_consumer_key', 'dpf43f3p2l4k3l03'],
        ['oauth_token', 'nnch734d00sl2jdk'],
        ['oauth_signature_method', 'HMAC-SHA1'],
        ['oauth_timestamp', '137131202'],
        ['oauth_nonce', 'chapoH'],
      ],
    });
    const signature = createHmac('sha1', 'kd94hf93k423kf44&pfkkdhi9sl3r4s00').update(base).digest('base64');
    expect(percentEncoded(signature)).toBe('MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D');
  });

  test.each([
    ['http://EXAMPLE.COM:80', '/r%20v/X', 'http://example.com/r%20v/X'],
    ['https://www.example.net:8080', '/', 'https://www.example.net:8080/'],
    ['HTTPS://Shop.example:443', '', 'https://shop.example/'],
    ['https://shop.example:80', '/rest', 'https://shop.example:80/rest'],
    ['https://shop.example/pos/', '/rest', 'https://shop.example/pos/rest'],
  ])('the address of %s and %s is %s', (origin, path, address) => {
    expect(signatureBase({ verb: 'GET', origin, path, pairs: [] })).toBe(`GET&${percentEncoded(address)}&`);
  });

  test('everything but letters, digits and four signs is encoded', () => {
    expect(percentEncoded("-._~!*'() ä&")).toBe('-._~%21%2A%27%28%29%20%C3%A4%26');
  });
});

test.each([
  ['OAuth a="b"', true],
  ['oauth a="b"', true],
  ['Bearer abc', false],
  ['OAuthorised', false],
  [undefined, false],
])('%s is signed: %s', (authorization, expected) => {
  expect(isSigned(authorization)).toBe(expected);
});

test('the header says who signed, and what else is signed', () => {
  const { pairs, ...read } = readSignature(header(), now);
  expect(read).toEqual({
    consumerKey: key,
    token: 't'.repeat(32),
    nonce: 'n1',
    timestamp: seconds,
    method: 'HMAC-SHA256',
    signature: 'abc=',
  });
  expect(pairs.map(([name]) => name)).not.toEqual(expect.arrayContaining(['realm']));
  expect(pairs.map(([name]) => name)).not.toEqual(expect.arrayContaining(['oauth_signature']));
  expect(pairs).toHaveLength(6);
});

test.each(['a,b', 'Shop, floor=1', '100%', ''])('a realm may be %j', (realm) => {
  expect(readSignature(header({ realm }), now)).toEqual(readSignature(header(), now));
});

const required = '"%fieldName" is required. Enter and try again.';
test.each([
  ['no nonce', header({ oauth_nonce: undefined }), 400, required],
  ['nothing', 'OAuth ', 400, 'One or more input exceptions have occurred.'],
  ['another version', header({ oauth_version: '2.0' }), 400, `The "%1" Oauth version isn't supported.`],
  ['a short token', header({ oauth_token: 't' }), 400, 'The token length is invalid. Check the length and try again.'],
  ['a plain text', header({ oauth_signature_method: 'PLAINTEXT' }), 400, 'Signature method %1 is not supported'],
  ['a name twice', `${header()}, oauth_nonce="n2"`, 400, 'Specified request cannot be processed.'],
  ['what cannot be read', header({ oauth_nonce: '%E4' }), 400, 'Specified request cannot be processed.'],
  ['a NUL', header({ oauth_nonce: '%00' }), 400, 'Specified request cannot be processed.'],
  ['no quotes', 'OAuth oauth_nonce=n1', 400, 'Specified request cannot be processed.'],
  ['a quote too many', `${header()}"`, 400, 'Specified request cannot be processed.'],
  ['a value with a comma unquoted', `${header()}, a=b,c`, 400, 'Specified request cannot be processed.'],
  ['a nonce without end', header({ oauth_nonce: 'n'.repeat(256) }), 400, 'Specified request cannot be processed.'],
  ['a short key', header({ oauth_consumer_key: 'k' }), 401, 'Consumer key is not the correct length'],
])('%s is refused', (_what, authorization, status, message) => {
  expect(() => readSignature(authorization, now)).toThrow(expect.objectContaining({ status, message }));
});

test.each([-600, 0, 600])('a clock that is wrong by %i seconds is believed', (by) => {
  expect(readSignature(header({ oauth_timestamp: String(seconds + by) }), now).timestamp).toBe(seconds + by);
});

test.each([String(seconds - 601), String(seconds + 601), '0', '-1', 'soon', '1e9'])(
  'the moment %s is not',
  (moment) => {
    expect(() => readSignature(header({ oauth_timestamp: moment }), now)).toThrow(
      expect.objectContaining({
        status: 401,
        message: 'Incorrect timestamp value in the oauth_timestamp parameter',
      }),
    );
  },
);
