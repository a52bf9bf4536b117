import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { checkBacklog } from '../../../providers/doctor/check-backlog.ts';
import { createOrm } from '../../../db/orm.ts';
import { clearLoginFailures, reserveLoginAttempt } from '../../../db/staff/login-attempts.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { moveClock, stopClock } from '../../support/stopped-clock.ts';
import { commandContextOf } from '../../cli/support.ts';

let orm: MikroORM;
beforeAll(async () => {
  const url = await testDatabaseUrl();
  await stopClock(url);
  orm = await createOrm(url);
});
afterAll(() => orm.close());

const { fork, rows } = booksOf(() => orm);

const key = 'ada@shop.test';
const wait = (seconds: number) => rows(moveClock, seconds);
const signIn = async () => (await checkBacklog(commandContextOf(orm))).find(({ name }) => name === 'sign-in')?.state;

/** As often as the ladder allows: the seconds it takes. */
async function guess(times: number): Promise<number> {
  let seconds = 0;
  for (let guessed = 0; guessed < times;) {
    const pause = await reserveLoginAttempt(fork(), key);
    if (pause === 0) guessed++;
    await wait(pause);
    seconds += pause;
  }
  return seconds;
}

test('doctor names an address that was guessed at for half a day, not a person who forgot a passcode', async () => {
  await guess(15);
  expect(await signIn()).toBe('ok');

  await clearLoginFailures(fork(), key);
  expect(await guess(30)).toBeLessThan(43_200);
  expect(await signIn()).toBe('warning');
});
