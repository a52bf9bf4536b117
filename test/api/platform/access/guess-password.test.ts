import { describe, expect, test } from 'vitest';
import { nobodysName } from '../../../../db/platform/access/throttle-token-request.ts';
import { unavailable } from '../../../../domain/errors.ts';
import { booksOf } from '../../../support/books.ts';
import { atOnce, eightAtOnce } from '../../../support/rivals.ts';
import { opensTheDoor, later, api, nextAdmin, anAdmin, askAdminToken, incorrect } from './people-with-passwords.ts';

opensTheDoor();

const { find, findOne } = booksOf(() => api.orm);

describe('guessing', () => {
  test('six failures lock the name for half an hour, even for the right password', async () => {
    const username = await anAdmin();
    for (let guess = 0; guess < 6; guess++) await askAdminToken(username, 'wrong');

    expect(await askAdminToken(username, 'correct horse')).toMatchObject({ status: 401, body: incorrect });
    later(1_799);
    expect((await askAdminToken(username, 'correct horse')).status).toBe(401);
    later(2);
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
  });

  test('the right password ends the count', async () => {
    const username = await anAdmin();
    for (let guess = 0; guess < 5; guess++) await askAdminToken(username, 'wrong');
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
    for (let guess = 0; guess < 5; guess++) await askAdminToken(username, 'wrong');
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
  });

  test('many guesses at once get no more than six tries', async () => {
    const username = await anAdmin();
    const { verify } = api.providers.passwords;
    let tries = 0;
    // From the seventh on the password would be right.
    api.providers.passwords.verify = (_password, hash) => verify(++tries > 6 ? 'correct horse' : 'wrong', hash);
    const answers = await atOnce(40, () => askAdminToken(username, 'wrong'));
    api.providers.passwords.verify = verify;

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    // A locked user waits for a hash as every other does, so that the time does not tell of the lock.
    expect(tries).toBe(40);
  });

  test('a person may sign in many times at once', async () => {
    const username = await anAdmin();
    const answers = await eightAtOnce(() => askAdminToken(username, 'correct horse'));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(8);
  });

  test('unknown names share a few counters, so that random names fill no table', async () => {
    expect(new Set(Array.from({ length: 20_000 }, (_, index) => nobodysName(`who ${index}?`))).size).toBe(1_024);
    expect(nobodysName('WHO?')).toBe(nobodysName('who?'));

    for (let guess = 0; guess < 8; guess++)
      expect(await askAdminToken('who?', 'wrong')).toMatchObject({ status: 401, body: incorrect });

    expect(await find('token_throttle', { user_name: 'who?' })).toEqual([]);
    expect(await findOne('token_throttle', { user_name: nobodysName('who?') })).toMatchObject({
      failures: 6,
      locked_until: expect.any(String),
    });
  });

  test('guesses at an unknown name do not lock a user who gets it later', async () => {
    const username = nextAdmin();
    for (let guess = 0; guess < 8; guess++) await askAdminToken(username, 'wrong');
    expect(await anAdmin()).toBe(username);
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
  });

  test('too many at once are a 503 that costs no guess', async () => {
    const username = await anAdmin();
    const { verify } = api.providers.passwords;
    api.providers.passwords.verify = () => Promise.reject(unavailable('Too many sign-ins at once.'));
    for (let guess = 0; guess < 8; guess++) expect((await askAdminToken(username, 'correct horse')).status).toBe(503);
    api.providers.passwords.verify = verify;
    expect((await askAdminToken(username, 'correct horse')).status).toBe(200);
  });

  test('an unknown name takes as long as a known one', async () => {
    const known = await anAdmin();
    const time = async (username: string) => {
      const startedAt = performance.now();
      await askAdminToken(username, 'wrong');
      return performance.now() - startedAt;
    };
    const times = { known: [] as number[], unknown: [] as number[] };
    // In turn, and the quickest of each: a machine that stands still for a moment slows one of many.
    for (let guess = 0; guess < 4; guess++) {
      times.known.push(await time(known));
      times.unknown.push(await time('ghost'));
    }
    expect(Math.min(...times.unknown) / Math.min(...times.known)).toBeGreaterThan(0.4);
  });
});
