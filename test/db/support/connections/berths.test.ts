import { expect, test } from '@jest/globals';
import { createBerths } from '../../../../db/support/connections/berths.ts';
import type { Lane } from '../../../../db/support/connections/lanes.ts';

const reserved = { health: 1, 'sign-in': 1, read: 2, write: 2 };
const tenPlaces = () => createBerths({ size: 10, waitMs: 20, reserved });
const take = (berths: ReturnType<typeof tenPlaces>, lane: Lane, count: number) =>
  Promise.allSettled(Array.from({ length: count }, () => berths.take(lane)));
const got = (settled: readonly PromiseSettledResult<() => void>[]) =>
  settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));

test.each<[Lane, number]>([
  ['write', 6],
  ['read', 6],
  ['sign-in', 5],
  ['health', 5],
])('a crowd of %s gets %i of ten places and leaves the others theirs', async (crowd, most) => {
  const berths = tenPlaces();

  expect(got(await take(berths, crowd, 30))).toHaveLength(most);

  for (const [lane, count] of Object.entries(reserved) as [Lane, number][])
    if (lane !== crowd) expect(got(await take(berths, lane, count))).toHaveLength(count);
});

test('two crowds together take no more than there is', async () => {
  const berths = tenPlaces();
  const [writes, reads] = [await take(berths, 'write', 30), await take(berths, 'read', 30)];
  expect(got([...writes, ...reads])).toHaveLength(8);
});

test('whoever waits for a place in vain is told that the database is busy', async () => {
  const berths = createBerths({ size: 1, waitMs: 5, reserved: {} });
  await berths.take('write');
  await expect(berths.take('write')).rejects.toMatchObject({ code: '53300' });
});

test('a place that is given back goes to the first who waits, and only once', async () => {
  const berths = createBerths({ size: 1, waitMs: 1_000, reserved: {} });
  const leave = await berths.take('write');
  const order: string[] = [];
  const [first, second] = ['first', 'second'].map(async (name) => {
    const leaveAgain = await berths.take('write');
    order.push(name);
    return leaveAgain;
  });

  leave();
  leave();
  const leaveFirst = await first;
  expect(order).toEqual(['first']);
  leaveFirst?.();
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('a kind that waits does not keep another one waiting', async () => {
  const berths = tenPlaces();
  await take(berths, 'write', 6);
  const late = berths.take('write');
  await expect(berths.take('read')).resolves.toBeInstanceOf(Function);
  await expect(late).rejects.toMatchObject({ code: '53300' });
});
