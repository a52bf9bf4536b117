import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAbsolute, join, relative } from 'node:path';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPrinter } from '../../../providers/documents/chromium-printer.ts';
import { findChromium } from '../../../providers/documents/browser.ts';
import { TooMuch } from '../../../providers/documents/print-in.ts';
import { silent } from '../../support/fakes.ts';
import { aRealPrinter, cacheFolder, realChromium } from '../../support/receipts/real-printer.ts';
import { readPdf } from '../../support/receipts/pdf-text.ts';
import { waysOut } from '../../support/receipts/ways-out.ts';
import { eightAtOnce } from '../../support/rivals.ts';

const browser = await realChromium();
const withBrowser = browser ? describe : () => undefined;

test('where there is no browser one sentence says so, and names the setting', async () => {
  const found = await findChromium({ path: '/nowhere/chromium', cacheFolder });
  expect(found).toBe('CHROMIUM_PATH is "/nowhere/chromium", and there is nothing.');
});

test('a browser finds its fonts, also where the data folder is named from the working directory', async () => {
  const found = await findChromium({ path: undefined, cacheFolder: relative(process.cwd(), cacheFolder) });
  const { path, env } = typeof found === 'string' ? { path: '/', env: {} } : found;
  expect([path, env['FONTCONFIG_FILE'] ?? '/'].map(isAbsolute)).toEqual([true, true]);
});

test.each([
  ['that never gets ready is waited for again', 'exec cat <&3', /Timeout/],
  ['that ends at once is no browser, and one sentence says so', 'exit 1', undefined],
])('a browser %s', async (_what, does, thrown) => {
  const path = join(mkdtempSync(join(tmpdir(), 'pos-odd-browser-')), 'chromium');
  writeFileSync(path, `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  const odd = createPrinter({ path, cacheFolder, log: silent, startMs: 500 });
  if (thrown) await expect(odd.missing()).rejects.toThrow(thrown);
  else expect(await odd.missing()).toMatch(`Chromium at ${path} does not start (`);
  await odd.close();
});

/** The first one unpacks a browser. */
const longest = 60_000;

withBrowser('a printer', () => {
  const printer = aRealPrinter();
  const hits: string[] = [];
  const secretFile = `/tmp/pos-test-secret-${process.pid}.txt`;
  const listener = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('taken');
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    port = (listener.address() as AddressInfo).port;
    listener.on('connection', () => hits.push('connection'));
    writeFileSync(secretFile, 'the contents of a file');
  });
  afterAll(async () => {
    await printer.close();
    listener.close();
    rmSync(secretFile);
  });

  test.each(Object.keys(waysOut('', '')))(
    'a document cannot get out by %s',
    async (way) => {
      const hostile = waysOut(`http://127.0.0.1:${port}`, secretFile)[way];
      const pdf = await printer
        .print(`<!doctype html><title>t</title><p>Receipt text</p>${hostile}`, 'a4')
        .then(readPdf, () => undefined);

      expect(hits).toEqual([]);
      expect(pdf?.text ?? '').not.toContain('the contents of a file');
    },
    longest,
  );

  test(
    'a PDF is tagged and says what the document says',
    async () => {
      const pdf = await readPdf(await printer.print('<!doctype html><title>t</title><h1>Total 54.00 €</h1>', 'a4'));
      expect(pdf).toEqual({ text: expect.stringContaining('Total 54.00 €'), pages: 1, isTagged: true });
    },
    longest,
  );

  test(
    'eight first prints at once start one browser',
    async () => {
      let started = 0;
      const log = { info: () => void started++, warn: () => undefined };
      const another = createPrinter({ path: browser?.path, cacheFolder, log });
      const asked = Array.from({ length: 8 }, (_, at) =>
        at % 2 === 0 ? another.missing() : another.print('<p>x</p>', 'a4'),
      );
      await Promise.all(asked);
      await another.close();

      expect(started).toBe(1);
    },
    longest,
  );

  test(
    'a document that never ends is given up within seconds, and the next one is printed',
    async () => {
      const endless = '<div style="height:50000000px;background:#eee">x</div>'.repeat(3);
      const began = Date.now();
      const outcome = await printer.print(endless, 'a4').catch((error: unknown) => error);

      expect(Date.now() - began).toBeLessThan(20_000);
      expect(outcome).toBeInstanceOf(TooMuch);
      expect((await readPdf(await printer.print('<p>next</p>', 'a4'))).text).toContain('next');
    },
    longest,
  );

  test(
    'a browser is ended after its prints, and the next one takes over without a print being lost',
    async () => {
      const started: number[] = [];
      const log = { info: ({ pid }: { pid: number }) => void started.push(pid), warn: () => undefined };
      const tired = createPrinter({ path: browser?.path, cacheFolder, log: log as never, printsPerBrowser: 2 });
      for (const at of [1, 2, 3])
        expect((await readPdf(await tired.print(`<p>number ${at}</p>`, 'a4'))).text).toContain(`number ${at}`);
      expect(started).toHaveLength(2);
      const isAlive = (pid = 0) => existsSync(`/proc/${pid}`);
      expect(started.map(isAlive)).toEqual([false, true]);
      await tired.close();
    },
    longest,
  );

  test(
    'a browser leaves no file behind, and its start removes those of a worker that was killed',
    async () => {
      const ours = `pos-browser-${hostname()}-${process.pid}-`;
      const [left, profile] = [`${ours}1-left`, `playwright_chromiumdev_profile-left-${process.pid}`];
      // The id of this process, begun at another time: the one that left them is gone.
      mkdirSync(join(tmpdir(), left));
      mkdirSync(join(tmpdir(), profile, 'Default'), { recursive: true });
      writeFileSync(join(tmpdir(), left, 'profile'), join(tmpdir(), profile));
      const foldersNow = () => readdirSync(tmpdir()).filter((name) => name.startsWith(ours));
      const before = foldersNow();

      const another = createPrinter({ path: browser?.path, cacheFolder, log: silent });
      await another.print('<p>x</p>', 'a4');
      expect([left, profile].filter((name) => existsSync(join(tmpdir(), name)))).toEqual([]);
      const [own, ...more] = foldersNow().filter((name) => !before.includes(name));
      expect(more).toEqual([]);
      const itsProfile = readFileSync(join(tmpdir(), own ?? '', 'profile'), 'utf8');
      expect(existsSync(itsProfile)).toBe(true);

      await another.close();
      expect([itsProfile, join(tmpdir(), own ?? '')].filter((path) => existsSync(path))).toEqual([]);
    },
    longest,
  );

  test(
    'a PDF of more than a hundred pages is too much',
    async () => {
      const pages = (count: number) => '<p style="break-after:page">x</p>'.repeat(count);
      await expect(printer.print(pages(101), 'a4')).rejects.toThrow('more than 100 pages');
      expect((await readPdf(await printer.print(pages(99), 'a4'))).pages).toBeLessThanOrEqual(100);
    },
    longest,
  );

  test(
    'every font that a PDF uses is in it',
    async () => {
      const pdf = await printer.print('<p>Latin 0123 <b>bold</b> <code>code</code> العربية</p>', 'a4');
      const file = pdf.toString('latin1');
      const described = file.match(/\/Type\s*\/FontDescriptor/g)?.length ?? 0;
      expect(described).toBeGreaterThan(0);
      expect(file.match(/\/FontFile[23]?\s/g) ?? []).toHaveLength(described);
    },
    longest,
  );

  test('a document beyond the limit is not even opened', async () => {
    await expect(printer.print('x'.repeat(4_000_001), 'a4')).rejects.toThrow(TooMuch);
  });

  test(
    'eight at once are eight documents',
    async () => {
      const printed = await eightAtOnce((at) => printer.print(`<p>number ${at}</p>`, 'letter').then(readPdf));
      expect(printed.map(({ text }) => text.trim())).toEqual(Array.from({ length: 8 }, (_, at) => `number ${at}`));
    },
    longest,
  );
});
