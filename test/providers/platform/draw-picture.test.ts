import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { PosError } from '../../../domain/errors.ts';
import { drawPicture, mostPictureBytes, pixelsOfOneCall } from '../../../providers/platform.ts';
import { aGif, aJpeg, aPng, aToldPng } from '../../support/pictures.ts';

const drawn = (file: Buffer) => drawPicture(file, pixelsOfOneCall());
const cut = (file: Buffer, bytes: number) => file.subarray(0, file.length - bytes);
const damaged = 'The image content must be valid base64 encoded data.';

const photo = await aJpeg();
const turned = await aJpeg(4, 3, 'GPS', true);
const wide = await aJpeg(6_001, 1);
const large = await aJpeg(400, 300, 'x'.repeat(1_000));
const [red, blue] = ['#f00', '#00f'].map((background) =>
  sharp({ create: { width: 2, height: 2, channels: 3, background } })
    .png()
    .toBuffer(),
);
const moving = await sharp(await Promise.all([red!, blue!]), { join: { animated: true } })
  .gif()
  .toBuffer();

describe('what is drawn', () => {
  test.each([
    ['image/png', aPng()],
    ['image/jpeg', photo],
    ['image/gif', aGif()],
  ])('%s is known by its bytes, and sent again it is the same', async (mimeType, file) => {
    const first = await drawn(file);
    expect(first).toMatchObject({ mimeType });
    expect(await drawn(file)).toEqual(first);
    expect(await sharp(first.content).metadata()).toMatchObject({ format: mimeType.replace('image/', '') });
  });

  test('where a photograph was taken does not go on, nor what hangs behind it', async () => {
    const { content } = await drawn(Buffer.concat([photo, Buffer.from('<script>')]));
    expect(photo.includes('GPS')).toBe(true);
    for (const word of ['GPS', 'Exif', 'script']) expect([word, content.includes(word)]).toEqual([word, false]);
    expect(await sharp(content).metadata()).toMatchObject({ width: 4, height: 3 });
  });

  test('a photograph is turned as its camera says', async () => {
    expect(await sharp((await drawn(turned)).content).metadata()).toMatchObject({ width: 3, height: 4 });
  });

  test('a comment of a GIF does not go on, its frames do', async () => {
    expect((await drawn(aGif('made by somebody'))).content.includes('somebody')).toBe(false);
    expect(await sharp((await drawn(moving)).content, { animated: true }).metadata()).toMatchObject({ pages: 2 });
  });

  test('an interlaced PNG is drawn', async () => {
    expect((await drawn(aToldPng([[1, 1]], Buffer.from([0, 1, 2, 3, 255]), true))).mimeType).toBe('image/png');
  });

  /** With another checksum in its first block. */
  function withWrongSum(png: Buffer): Buffer {
    const wrong = Buffer.from(png);
    wrong.writeUInt32BE(7, png.length - 4);
    return wrong;
  }

  test.each([
    ['a JPEG without its end', 'image/jpeg', cut(photo, 2)],
    ['a PNG without its end', 'image/png', cut(aPng(), 12)],
    ['a PNG whose end breaks off', 'image/png', cut(aPng(), 3)],
    ['a PNG with a wrong checksum at its end', 'image/png', withWrongSum(aPng())],
    ['a GIF without its end', 'image/gif', cut(aGif(), 1)],
  ])('%s is taken when it has few bytes', async (_what, mimeType, file) => {
    expect(await drawn(file)).toMatchObject({ mimeType });
  });
});

describe('what is refused', () => {
  test.each([
    ['no picture', Buffer.from('not_an_image')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['a drawing with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a PNG of a size that its pixels do not fill', aToldPng([[900, 900]], Buffer.alloc(2_000_000))],
    ['a JPEG of many bytes that breaks off', cut(large, 1_002)],
    ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0])],
    ['a GIF that is only begun', aGif().subarray(0, 12)],
  ])('%s', async (_what, file) => {
    await expect(drawn(file)).rejects.toThrow(damaged);
  });

  test.each([
    ['a PNG of too many points', aPng(2_001, 1), 'A picture has at most %1 pixels each way.', [2_000]],
    ['a JPEG of too many points', wide, 'A picture has at most %1 pixels each way.', [6_000]],
    ['too many bytes', Buffer.alloc(mostPictureBytes + 1), 'A picture has at most %1 kB.', [3_000]],
  ])('%s', async (_what, file, message, parameters) => {
    const refusal = await drawn(file).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PosError);
    expect(refusal).toMatchObject({ status: 400, message, parameters });
  });

  test('a PNG of one point is not unpacked to the 200 MB it has', async () => {
    const file = aToldPng([[1, 1]], Buffer.alloc(200_000_000), true);
    await drawn(aPng());
    const before = process.resourceUsage().maxRSS;
    await drawn(file).catch(() => undefined);
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000);
  });
});

describe('many pictures', () => {
  const settled = (files: readonly Buffer[]) =>
    Promise.all(
      files.map((file) =>
        drawn(file).then(
          () => 'drawn',
          (error: Error) => error.message,
        ),
      ),
    );

  test('while the largest picture is drawn, others get their turn', async () => {
    const create = { width: 2_000, height: 2_000, channels: 4, background: '#7f2040' } as const;
    const largest = await sharp({ create }).png().toBuffer();
    let turns = 0;
    let isDrawn = false;
    const drawing = drawn(largest).then(() => (isDrawn = true));
    for (; !isDrawn; turns++) await new Promise((turn) => setImmediate(turn));
    await drawing;
    // One in which nothing else could run would be a turn or two.
    expect(turns).toBeGreaterThan(50);
  });

  test('behind one that cannot be read the next ones are drawn', async () => {
    expect(await settled([aPng(), Buffer.from('GIF89a'), aPng(3, 3)])).toEqual(['drawn', damaged, 'drawn']);
  });

  test('behind sixteen pictures the next one is asked to come again', async () => {
    const outcomes = await settled(Array.from({ length: 18 }, () => aPng()));
    expect(outcomes.filter((word) => word === 'drawn')).toHaveLength(16);
    expect(outcomes.slice(16)).toEqual(
      Array.from({ length: 2 }, () => 'Too many pictures at once. Please try again later.'),
    );
    expect(await settled([aPng()])).toEqual(['drawn']);
  });
});
