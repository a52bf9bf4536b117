import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { browserMemory, createPrinter, type PrinterParts } from '../../../providers/documents/chromium-printer.ts';
import { TooMuch } from '../../../providers/documents/print-in.ts';
import { cacheFolder, realChromium } from '../../support/receipts/real-printer.ts';
import { readPdf } from '../../support/receipts/pdf-text.ts';

const browser = await realChromium();
const withBrowser = browser ? describe : () => undefined;
const longest = 60_000;

/** Takes gigabytes before its time is over. */
const growing = '<div style="height:50000000px;background:#eee">x</div>'.repeat(3);

function aPrinter(limits: PrinterParts['limits'] = {}) {
  const started: number[] = [];
  const log = { info: ({ pid }: { pid: number }) => void started.push(pid), warn: () => undefined };
  return { started, ...createPrinter({ path: browser?.path, cacheFolder, log: log as never, limits }) };
}

type Printer = Pick<ReturnType<typeof aPrinter>, 'print'>;
const printedText = async ({ print }: Printer, html: string) => (await readPdf(await print(html, 'a4'))).text;

/** An address is written into a PDF letter by letter: some 1.5 KB for each of these links. */
const links = (count: number) =>
  Array.from({ length: count }, (_, at) => `<a href="https://shop.example/${at}/${'x'.repeat(900)}">x</a>`).join(' ');

withBrowser('a printer', () => {
  test(
    'ends a browser that takes too much memory, gives the document up, and prints the next one',
    async () => {
      const printer = aPrinter({ mostMegabytes: 400 });
      const outcome = await printer.print(growing, 'a4').catch((error: unknown) => error);
      expect(outcome).toBeInstanceOf(TooMuch);
      expect(String(outcome)).toContain('400 MB of memory');
      expect(existsSync(`/proc/${printer.started[0]}`)).toBe(false);

      expect(await printedText(printer, '<p>next</p>')).toContain('next');
      expect(printer.started).toHaveLength(2);
      await printer.close();
    },
    longest,
  );

  test(
    'blames none of several documents that were in it: each may be tried again',
    async () => {
      const printer = aPrinter({ memoryOf: () => 2_000 });
      await printer.missing();
      const outcomes = await Promise.allSettled([printer.print(growing, 'a4'), printer.print(growing, 'a4')]);
      await printer.close();
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      for (const one of outcomes) expect('reason' in one && one.reason).not.toBeInstanceOf(TooMuch);
    },
    longest,
  );

  test(
    'replaces a browser that keeps what it took',
    async () => {
      const printer = aPrinter({ memoryOf: () => 2_000, lookEveryMs: longest });
      for (const at of [1, 2]) expect(await printedText(printer, `<p>number ${at}</p>`)).toContain(`number ${at}`);
      expect(printer.started).toHaveLength(2);
      await printer.close();
    },
    longest,
  );

  test(
    'refuses a PDF of more than 5 MB, and makes one that is a little smaller',
    async () => {
      // Its size is refused, also where a machine needs long for it.
      const printer = aPrinter({ longestMs: longest / 2 });
      await expect(printer.print(links(4_000), 'a4')).rejects.toThrow('the PDF is too large');
      const pdf = await printer.print(links(2_500), 'a4');
      await printer.close();
      expect(pdf.length).toBeGreaterThan(3_000_000);
    },
    longest,
  );

  test(
    'counts the memory of all processes of a browser, and none of one that is gone',
    async () => {
      const printer = aPrinter();
      await printer.print('<p>x</p>', 'a4');
      const [pid = 0] = printer.started;
      expect(browserMemory(pid)).toBeGreaterThan(30);
      await printer.close();
      expect(browserMemory(pid)).toBeUndefined();
    },
    longest,
  );
});
