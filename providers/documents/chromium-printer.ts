import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import type { Log } from '../log.ts';
import { browserOwner, findChromium, startBrowser, type Chromium, type RunningBrowser } from './browser.ts';
import { printIn, shownIn, TooMuch, type Paper, type Printer } from './print-in.ts';

/**
 * The memory that a browser and all processes below it hold for themselves, in MB. Its program, which they share with
 * each other and with the next browser, is not counted.
 *
 * @returns undefined on a system without `/proc`, and for a browser that has ended
 */
export function browserMemory(pid: number): number | undefined {
  const own = ownKilobytes(pid);
  if (own === undefined) return undefined;
  const below = processesBelow(pid).map((one) => ownKilobytes(one) ?? 0);
  return Math.round(below.reduce((sum, one) => sum + one, own) / 1_024);
}

/** Chromium has about ten processes, three deep. */
function processesBelow(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) => numbersIn(`/proc/${pid}/task/${thread}/children`));
  return children.flatMap((child) => [child, ...processesBelow(child)]);
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

const numbersIn = (path: string) => (textOf(path) ?? '').split(' ').filter(Boolean).map(Number);

function ownKilobytes(pid: number): number | undefined {
  const status = textOf(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  const parts = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)];
  return parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0);
}

/** A process may be gone meanwhile. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** A letter of each script that a receipt of this install can show. */
const letters = {
  Latin: 'é',
  Greek: 'Ω',
  Cyrillic: 'Ж',
  Arabic: 'ع',
  Hebrew: 'ש',
  Chinese: '李',
  'traditional Chinese': '體',
  Japanese: 'ラ',
  Korean: '한',
  Thai: 'ผ',
  Hindi: 'क',
  Tamil: 'த',
  emoji: '🍕',
};

/** No font has a picture of this one: it shows what a browser draws for a letter that it lacks. */
const nobodys = '\u{10fffd}';
/** The width and height of a letter's place, in pixels. */
const side = 64;

/** Draws a letter of each script, and returns the scripts whose letter came out blank or as a box. */
async function undrawnScripts(
  browser: Browser,
  requested: Readonly<Record<string, string>> = letters,
): Promise<string[]> {
  const cells = [' ', nobodys, ...Object.values(requested)];
  const clip = { x: 0, y: 0, width: side * cells.length, height: side };
  const picture = await shownIn(browser, documentOf(cells), async (page) => {
    await page.setViewportSize({ width: clip.width, height: clip.height });
    return page.screenshot({ clip });
  });
  const { default: sharp } = await import('sharp');
  const pixels = await sharp(picture).ensureAlpha().raw().toBuffer();
  const [blank, box, ...drawn] = cutUp(pixels, cells.length);
  return Object.keys(requested).filter((_, at) => [blank, box].some((none) => none && drawn[at]?.equals(none)));
}

const documentOf = (cells: readonly string[]) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Letters</title><style>
body { margin: 0; font: 40px/${side}px 'Other Scripts', sans-serif }
i { position: absolute; top: 0; width: ${side}px; height: ${side}px; overflow: hidden; font-style: normal }
${cells.map((_, at) => `i:nth-child(${at + 1}) { left: ${at * side}px }`).join('\n')}
</style></head><body>${cells.map((cell) => `<i>${cell}</i>`).join('')}</body></html>`;

/** The pixels of each cell. */
const cutUp = (pixels: Buffer, count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) =>
    Buffer.concat(
      Array.from({ length: side }, (_row, y) => {
        const from = 4 * side * (y * count + at);
        return pixels.subarray(from, from + 4 * side);
      }),
    ),
  );

/** A browser with what it is doing. */
interface BusyBrowser extends Pick<RunningBrowser, 'pid' | 'kill'> {
  /** Prints that are in it now. */
  busy: number;
  /** It gets no new prints and ends with its last one. */
  isLeaving: boolean;
  /** It was ended in the middle of its prints. */
  isEnded?: boolean;
}

interface PrintLimits {
  longestMs: number;
  /** Of the whole browser, whatever is in it. */
  mostMegabytes: number;
  /** A browser's memory in MB; undefined: the system does not say. */
  memoryOf: (pid: number) => number | undefined;
  lookEveryMs: number;
}

/**
 * Ends the browser of a print that takes too long or too much memory, and with it all other prints in it.
 *
 * Throws `TooMuch` for a print that takes too long, or that took the memory alone. Where several were in the browser,
 * nobody knows whose memory it was: each fails, and a retry is likely to be alone.
 */
async function withinLimits(
  print: Promise<Buffer>,
  browser: BusyBrowser,
  { longestMs, mostMegabytes, memoryOf, lookEveryMs }: PrintLimits,
): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  const isTooLarge = () => (memoryOf(browser.pid) ?? 0) > mostMegabytes;
  const beyond = new Promise<never>((_resolve, reject) => {
    const end = (error: Error) => {
      Object.assign(browser, { isLeaving: true, isEnded: true });
      void browser.kill();
      reject(error);
    };
    timer = setTimeout(() => end(new TooMuch(`it took more than ${longestMs / 1_000} seconds`)), longestMs);
    watch = setInterval(() => {
      // The other prints in it hear from the browser that it is gone.
      if (browser.isEnded || !isTooLarge()) return;
      const reason = `it took more than ${mostMegabytes} MB of memory`;
      end(browser.busy === 1 ? new TooMuch(reason) : new Error(`one of ${browser.busy} prints: ${reason}`));
    }, lookEveryMs);
  });
  try {
    const pdf = await Promise.race([print, beyond]);
    // A browser that keeps what it took is replaced, as one that has printed often.
    if (isTooLarge()) browser.isLeaving = true;
    return pdf;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    print.catch(() => undefined);
  }
}

/** The largest document that is printed, in characters. */
const longestDocument = 4_000_000;
/** The largest PDF that a mail may carry. */
const mostBytes = 5_000_000;
/** More is no receipt: somebody wrote a book into its texts. */
const mostPages = 100;
/** A hard limit: after it the browser is ended. */
const longestMs = 10_000;
/** Twice what eight prints at once take: more is a document that would take all of the machine's. */
const mostMegabytes = 1_000;
/** A page without scripts takes up to 200 MB in that time. */
const lookEveryMs = 250;
/** A browser's memory grows with each print; a new one costs some tenths of a second. */
const mostPrints = 250;

export interface PrinterParts {
  path: string | undefined;
  /** `CHROMIUM_USER`; absent: this process's own. */
  user?: string | undefined;
  /** Where the browser of the npm package is unpacked. */
  cacheFolder: string;
  /** After so many a browser is ended, and the next print starts another one. */
  printsPerBrowser?: number;
  /** The limits of a print's time and memory, where they are not the usual ones. */
  limits?: Partial<PrintLimits>;
  /** After so long the start of a browser is given up; absent: as is usual. */
  startMs?: number;
  log: Pick<Log, 'info' | 'warn'>;
}

/** A printer that can tell which scripts it has no letters for. */
export interface BrowserPrinter extends Printer {
  /**
   * The names of the scripts whose letter is drawn blank or as a box. Absent letters: one of each script that the
   * install brings.
   */
  undrawn(letters?: Readonly<Record<string, string>>): Promise<string[]>;
}

/** A printer with one browser, started when first used, ended after so many prints or whenever it does not answer. */
export function createPrinter({
  path,
  user: requested,
  cacheFolder,
  log,
  printsPerBrowser = mostPrints,
  limits = {},
  startMs,
}: PrinterParts): BrowserPrinter {
  let found: Promise<Chromium | string> | undefined;
  let running: Running | undefined;
  let starting: Promise<Running> | undefined;
  let isClosed = false;

  const find = () => {
    found ??= findChromium({ path, cacheFolder }).catch((error: unknown) => {
      found = undefined;
      return `Chromium could not be unpacked in ${cacheFolder} (${reasonOf(error)}).`;
    });
    return found;
  };

  const start = async (): Promise<Running> => {
    const chromium = await find();
    if (typeof chromium === 'string') throw new Error(chromium);
    if (isClosed) throw new Error('The printer is closed.');
    const owner = browserOwner(requested);
    if (!owner.user && requested !== undefined)
      throw new Error(`CHROMIUM_USER is ${JSON.stringify(requested)}, but ${owner.reason}`);
    const browser = await startBrowser({ found: chromium, user: owner.user, log, startMs });
    log.info({ pid: browser.pid, path: chromium.path }, 'a browser was started for PDFs');
    return { ...browser, printed: 0, busy: 0, isLeaving: false };
  };

  /** Concurrent callers share the browser that is starting: no await lies between the check and the start. */
  const current = async (): Promise<Running> => {
    if (running?.browser.isConnected() && !running.isLeaving) return running;
    starting ??= start()
      .then((started) => (running = started))
      .finally(() => (starting = undefined));
    return starting;
  };

  return {
    missing: async () => {
      const chromium = await find();
      if (typeof chromium === 'string') return chromium;
      try {
        await current();
        return null;
      } catch (error) {
        // A cold or busy machine: the next try may find it ready.
        if (error instanceof Error && error.name === 'TimeoutError') throw error;
        return `Chromium at ${chromium.path} does not start (${reasonOf(error).split('\n')[0]}).`;
      }
    },

    async print(html: string, paper: Paper): Promise<Buffer> {
      if (html.length > longestDocument) throw new TooMuch('the document is too long');
      const browser = await current();
      browser.busy++;
      if (++browser.printed >= printsPerBrowser) browser.isLeaving = true;
      try {
        const pdf = await withinLimits(printIn(browser.browser, html, paper), browser, { ...usual, ...limits });
        if (pdf.length > mostBytes) throw new TooMuch('the PDF is too large');
        if (pagesOf(pdf) > mostPages) throw new TooMuch(`the PDF has more than ${mostPages} pages`);
        return pdf;
      } finally {
        browser.busy--;
        if (browser.isLeaving && browser.busy === 0) await browser.kill();
      }
    },

    undrawn: async (letters) => undrawnScripts((await current()).browser, letters),

    async close() {
      isClosed = true;
      const known = (await starting?.catch(() => undefined)) ?? running;
      running = undefined;
      await known?.kill();
    },
  };
}

const usual: PrintLimits = { longestMs, mostMegabytes, memoryOf: browserMemory, lookEveryMs };

/** Chromium writes the objects of pages uncompressed. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

interface Running extends RunningBrowser, BusyBrowser {
  printed: number;
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
