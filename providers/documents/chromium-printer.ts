import type { Log } from '../log.ts';
import { browserOwner } from './browser-user.ts';
import { browserMemory } from './browser-memory.ts';
import { startBrowser, type RunningBrowser } from './browser.ts';
import { findChromium, type Chromium } from './find-chromium.ts';
import { printIn } from './print-in.ts';
import { TooMuch, type Paper, type Printer } from './printer.ts';
import { undrawnScripts } from './undrawn-scripts.ts';
import { withinLimits, type BusyBrowser, type PrintLimits } from './within-limits.ts';

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
  /** The names of the scripts whose letter is drawn blank or as a box. Absent letters: one of each script that the install brings. */
  undrawn(letters?: Readonly<Record<string, string>>): Promise<string[]>;
}

/** A printer with one browser, started when first used, ended after so many prints or whenever it does not answer. */
export function createPrinter({
  path,
  user: wanted,
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
    const owner = browserOwner(wanted);
    if (!owner.user && wanted !== undefined)
      throw new Error(`CHROMIUM_USER is ${JSON.stringify(wanted)}, but ${owner.reason}`);
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
