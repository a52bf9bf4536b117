import { afterEach, expect, test } from 'vitest';
import { PictureThread } from '../../../../providers/platform/pictures/picture-thread.ts';
import { aPng } from '../../../support/pictures.ts';

const threads: PictureThread[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close();
});
const aThread = () => {
  const thread = new PictureThread();
  threads.push(thread);
  return thread;
};
const settled = (drawings: readonly Promise<Buffer>[]) =>
  Promise.all(
    drawings.map((drawing) =>
      drawing.then(
        () => 'drawn',
        (error: Error) => error.message,
      ),
    ),
  );

test('while the largest picture is drawn, others get their turn', async () => {
  const thread = aThread();
  let turns = 0;
  let isDrawn = false;
  const drawing = thread.draw(aPng(2_000, 2_000)).then(() => (isDrawn = true));
  for (; !isDrawn; turns++) await new Promise((turn) => setImmediate(turn));
  await drawing;
  // One in which nothing else could run would be a turn or two.
  expect(turns).toBeGreaterThan(50);
});

test('a picture that cannot be read is refused, and the next ones are drawn in their order', async () => {
  const thread = aThread();
  const broken = aPng().subarray(0, 40);
  const order: number[] = [];
  const drawings = [aPng(), broken, aPng(3, 3)].map((file, at) => thread.draw(file).finally(() => order.push(at)));
  expect(await settled(drawings)).toEqual(['drawn', 'The image content must be valid base64 encoded data.', 'drawn']);
  expect(order).toEqual([0, 1, 2]);
});

test('behind sixteen pictures the next one is asked to come again', async () => {
  const thread = aThread();
  const outcomes = await settled(Array.from({ length: 18 }, () => thread.draw(aPng())));
  expect(outcomes.filter((word) => word === 'drawn')).toHaveLength(16);
  expect(outcomes.slice(16)).toEqual(
    Array.from({ length: 2 }, () => 'Too many pictures at once. Please try again later.'),
  );
  expect(await settled([thread.draw(aPng())])).toEqual(['drawn']);
});

test('who still waits when the process stops is told so; a later picture gets a new thread', async () => {
  const thread = aThread();
  const waiting = settled([thread.draw(aPng(500, 500)), thread.draw(aPng())]);
  await thread.close();
  expect(await waiting).toEqual(['the picture thread ended', 'the picture thread ended']);
  expect(await settled([thread.draw(aPng())])).toEqual(['drawn']);
});
