import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { PosError } from '../../../../domain/errors.ts';
import {
  drawPicture,
  mostPictureBytes,
  pixelsOfOneCall,
} from '../../../../providers/platform/pictures/draw-picture.ts';
import { PictureThread } from '../../../../providers/platform/pictures/picture-thread.ts';
import { aGif, aJpeg, aPng, aToldPng } from '../../../support/pictures.ts';

describe('draw picture', () => {
  const thread = new PictureThread();
  afterAll(() => thread.close());

  const drawn = (file: Buffer) => drawPicture(file, { draw: (png) => thread.draw(png), budget: pixelsOfOneCall() });

  test.each([
    ['image/png', aPng()],
    ['image/jpeg', aJpeg()],
    ['image/gif', aGif()],
  ])('%s is known by its bytes, and drawn twice is the same', async (mimeType, file) => {
    const first = await drawn(file);
    expect(first).toMatchObject({ mimeType, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await drawn(first.content)).toEqual(first);
  });

  test('where a photograph was taken does not go on, nor a comment, nor what hangs behind it', async () => {
    const { content } = await drawn(aJpeg(4, 3, 'GPS 52.5 13.4'));
    expect(content.includes('GPS')).toBe(false);
    expect(content.includes('Exif')).toBe(false);
    expect(content.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
    // The pixels are all there.
    expect(content.includes(Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0xd9]))).toBe(true);
  });

  test('a comment of a GIF does not go on, its picture does', async () => {
    const { content } = await drawn(aGif('made by somebody'));
    expect(content.includes('somebody')).toBe(false);
    expect(content.includes(Buffer.from([0x2c, 0, 0, 0, 0, 1]))).toBe(true);
  });

  const cut = (file: Buffer, bytes: number) => file.subarray(0, file.length - bytes);

  /** A GIF of one point with more comments than a small file has. */
  function aLongGif(): Buffer {
    const gif = aGif('x'.repeat(255));
    const [head, comment, rest] = [gif.subarray(0, 19), gif.subarray(19, 278), gif.subarray(278)];
    return Buffer.concat([head, ...Array.from({ length: 5 }, () => comment), rest]);
  }

  /** With another checksum in its first block. */
  function withWrongSum(png: Buffer): Buffer {
    const wrong = Buffer.from(png);
    wrong.writeUInt32BE(7, 29);
    return wrong;
  }

  test.each([
    ['a JPEG without its end', 'image/jpeg', cut(aJpeg(4, 3, ''), 2)],
    ['a GIF without its end', 'image/gif', cut(aGif(), 1)],
    ['a PNG without its end', 'image/png', cut(aPng(), 12)],
    ['a PNG whose end breaks off', 'image/png', cut(aPng(), 3)],
    ['a PNG with a wrong checksum', 'image/png', withWrongSum(aPng())],
  ])('%s is taken when it has few bytes, and kept whole', async (_what, mimeType, file) => {
    const first = await drawn(file);
    expect(first.mimeType).toBe(mimeType);
    expect(await drawn(first.content)).toEqual(first);
  });

  test.each([
    ['no picture', Buffer.from('not_an_image')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['a PNG that breaks off', cut(aPng(), 20)],
    [
      'a PNG that changes its size behind the first block',
      aToldPng(
        [
          [1, 1],
          [2, 2],
        ],
        Buffer.alloc(18),
      ),
    ],
    ['a JPEG of many bytes without its end', cut(aJpeg(4, 3, 'x'.repeat(1_000)), 1_002)],
    ['a JPEG of few bytes without its pixels', cut(aJpeg(4, 3, ''), 18)],
    ['a JPEG of no width', aJpeg(0, 3)],
    ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0])],
    ['a GIF of many bytes without its end', cut(aLongGif(), 1)],
    ['a GIF that breaks off', cut(aGif(), 6)],
  ])('%s is refused', async (_what, file) => {
    await expect(drawn(file)).rejects.toThrow('The image content must be valid base64 encoded data.');
  });

  test.each([
    ['a PNG of too many points', aPng(2_001, 1), 'A picture has at most %1 pixels each way.', [2_000]],
    ['a JPEG of too many points', aJpeg(6_001, 1), 'A picture has at most %1 pixels each way.', [6_000]],
    ['too many bytes', Buffer.alloc(mostPictureBytes + 1), 'A picture has at most %1 kB.', [3_000]],
  ])('%s are refused', async (_what, file, message, parameters) => {
    const refusal = await drawn(file).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PosError);
    expect(refusal).toMatchObject({ status: 400, message, parameters });
  });

  test('an interlaced PNG is drawn', async () => {
    expect((await drawn(aToldPng([[1, 1]], Buffer.from([0, 1, 2, 3, 255]), true))).mimeType).toBe('image/png');
  });

  test('an interlaced PNG of one point is not unpacked to the 200 MB it claims to have', async () => {
    const file = aToldPng([[1, 1]], Buffer.alloc(200_000_000), true);
    const before = process.resourceUsage().maxRSS;

    await expect(drawn(file)).rejects.toThrow('The image content must be valid base64 encoded data.');
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000);
  });
});

describe('picture thread', () => {
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
});
