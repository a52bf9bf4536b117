import { afterAll, expect, test } from 'vitest';
import { createPasswordHasher } from '../../providers/password-hasher.ts';
import { twiceAtOnce, atOnce, outcomesAtOnce } from '../support/rivals.ts';

const passwords = createPasswordHasher();
afterAll(() => passwords.close());

test('a password fits its own hash and no other', async () => {
  const [one, two] = await twiceAtOnce(() => passwords.hash('1234'));
  expect(one).not.toBe(two);
  expect(await passwords.verify('1234', one)).toBe(true);
  expect(await passwords.verify('12345', one)).toBe(false);
  expect(await passwords.verify('1234', null)).toBe(false);
  expect(await passwords.verify('1234', 'no hash at all')).toBe(false);
});

test('what bcrypt would cut off is refused, not cut off', async () => {
  const longest = '€'.repeat(24);
  const hash = await passwords.hash(longest);
  expect(await passwords.verify(longest, hash)).toBe(true);
  expect(await passwords.verify(`${longest}x`, hash)).toBe(false);
  await expect(passwords.hash(`${longest}x`)).rejects.toMatchObject({ status: 400, parameters: [72] });
  await expect(passwords.hash('x'.repeat(1_000_000))).rejects.toMatchObject({ status: 400 });
});

test('the main thread goes on while passwords are hashed', async () => {
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  await atOnce(4, () => passwords.hash('1234'));
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(8);
});

test('a crowd without a token leaves a thread to the cashiers, and is turned away sooner', async () => {
  const hash = await passwords.hash('1234');
  const order: string[] = [];
  const crowd = Array.from({ length: 40 }, () =>
    passwords.verify('x', hash, 'anonymous').then(
      () => order.push('crowd'),
      () => order.push('turned away'),
    ),
  );
  await atOnce(4, () => passwords.verify('1234', hash).then(() => order.push('cashier')));

  // Four cashiers, one after the other by the thread that is theirs: of the crowd no more than about as many were served.
  expect(order.filter((one) => one === 'crowd').length).toBeLessThan(12);
  await Promise.all(crowd);
  expect(order.filter((one) => one === 'turned away')).toHaveLength(8);
});

test('a crowd of cashiers leaves a thread to who has no token', async () => {
  const hash = await passwords.hash('1234');
  let served = 0;
  const crowd = Array.from({ length: 30 }, () => passwords.verify('x', hash).then(() => served++));
  await passwords.verify('x', hash, 'anonymous');
  expect(served).toBeLessThan(15);
  await Promise.all(crowd);
});

test('closing it refuses the callers that wait', async () => {
  const closing = createPasswordHasher();
  const waiting = Array.from({ length: 5 }, () => closing.verify('x', 'short'));
  const settled = Promise.allSettled(waiting);
  await closing.close();
  expect((await settled).filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(3);
});

test('too many at once are turned away instead of kept waiting', async () => {
  const { refused } = await outcomesAtOnce(140, () => passwords.verify('x', 'short'));
  expect(refused).toHaveLength(12);
  expect(refused[0]).toMatchObject({ status: 503 });
  expect(await passwords.verify('x', 'short')).toBe(false);
});
