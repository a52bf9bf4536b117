import { expect, test } from 'vitest';
import { createConnectionSlots } from '../../../../db/support/connections/connection-slots.ts';
import type { Lane } from '../../../../db/support/connections/lanes.ts';
import { outcomesAtOnce } from '../../../support/rivals.ts';

const reserved = { health: 1, 'sign-in': 1, read: 2, write: 2 };
const tenPlaces = () => createConnectionSlots({ size: 10, waitMs: 20, reserved });
const take = (slots: ReturnType<typeof tenPlaces>, lane: Lane, count: number) =>
  outcomesAtOnce(count, () => slots.take(lane)).then(({ done }) => done);

test.each<[Lane, number]>([
  ['write', 6],
  ['read', 6],
  ['sign-in', 5],
  ['health', 5],
])('a crowd of %s gets %i of ten places and leaves the others theirs', async (crowd, most) => {
  const slots = tenPlaces();

  expect(await take(slots, crowd, 30)).toHaveLength(most);

  for (const [lane, count] of Object.entries(reserved) as [Lane, number][])
    if (lane !== crowd) expect(await take(slots, lane, count)).toHaveLength(count);
});

test('two crowds together take no more than there is', async () => {
  const slots = tenPlaces();
  const [writes, reads] = [await take(slots, 'write', 30), await take(slots, 'read', 30)];
  expect([...writes, ...reads]).toHaveLength(8);
});

test('a caller who gets no place in time is told that the database is busy', async () => {
  const slots = createConnectionSlots({ size: 1, waitMs: 5, reserved: {} });
  await slots.take('write');
  await expect(slots.take('write')).rejects.toMatchObject({ code: '53300' });
});

test('a place that is given back goes to the first who waits, and only once', async () => {
  const slots = createConnectionSlots({ size: 1, waitMs: 1_000, reserved: {} });
  const leave = await slots.take('write');
  const order: string[] = [];
  const [first, second] = ['first', 'second'].map(async (name) => {
    const leaveAgain = await slots.take('write');
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
  const slots = tenPlaces();
  await take(slots, 'write', 6);
  const late = slots.take('write');
  await expect(slots.take('read')).resolves.toBeInstanceOf(Function);
  await expect(late).rejects.toMatchObject({ code: '53300' });
});
