import { expect, test } from 'vitest';
import { PNG } from 'pngjs';
import { drawLogo } from '../../../providers/receipts/draw-logo.ts';

const picture = (width: number, height: number) => {
  const png = new PNG({ width, height });
  png.data.fill(0x7f);
  return png;
};

/** A block of a PNG that a reader may skip; its checksum is not checked. */
const block = (name: string, data: string) => {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name + data, 4, 'latin1');
  return bytes;
};
const headerBytes = 33;

test('the pixels stay, and nothing else of the file', () => {
  const png = picture(4, 3);
  png.data.set([1, 2, 3, 4], 0);
  const file = PNG.sync.write(png);
  const comment = block('tEXt', 'Comment\0<script>alert(1)</script>');
  const drawn = drawLogo(Buffer.concat([file.subarray(0, headerBytes), comment, file.subarray(headerBytes)]));

  expect(drawn).toMatchObject({ width: 4, height: 3 });
  expect(PNG.sync.read(drawn.content).data).toEqual(png.data);
  expect(drawn.content.includes('script')).toBe(false);
  expect(drawLogo(drawn.content)).toEqual(drawn);
});

test('the same picture has the same name, another another', () => {
  const names = [picture(2, 2), picture(2, 2), picture(2, 3)].map((png) => drawLogo(PNG.sync.write(png)).digest);
  expect(names[0]).toBe(names[1]);
  expect(names[2]).not.toBe(names[0]);
  expect(names[0]).toMatch(/^[0-9a-f]{64}$/);
});

const file = PNG.sync.write(picture(4, 4));
const sized = (width: number, height: number) => {
  const lying = Buffer.from(file);
  lying.writeUInt32BE(width, 16);
  lying.writeUInt32BE(height, 20);
  return lying;
};

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('hello '.repeat(20))],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'.padEnd(60))],
  ['half a file', file.subarray(0, file.length - 20)],
  [
    'a file with another checksum',
    Buffer.concat([file.subarray(0, headerBytes - 1), Buffer.from([0]), file.subarray(headerBytes)]),
  ],
  ['a picture with something behind it', Buffer.concat([file, Buffer.from('<script>')])],
  ['more pixels than it has', sized(1_000, 1_000)],
])('the shop does not print %s as a logo', (_what, content) => {
  expect(() => drawLogo(content)).toThrow('A logo is a PNG.');
});

test.each([
  ['no width', sized(0, 4)],
  ['a width that would fill the memory', sized(60_000, 60_000)],
  ['one pixel too many', sized(1_201, 1)],
])('%s is refused before anything is unpacked', (_what, content) => {
  expect(() => drawLogo(content)).toThrow('A logo has at most %1 pixels each way.');
});

test('a file of more than 500 kB is not looked at', () => {
  expect(() => drawLogo(Buffer.alloc(500_001))).toThrow('A logo has at most %1 kB.');
});
