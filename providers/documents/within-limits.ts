import type { RunningBrowser } from './browser.ts';
import { TooMuch } from './printer.ts';

/** A browser with what it is doing. */
export interface BusyBrowser extends Pick<RunningBrowser, 'pid' | 'kill'> {
  /** Prints that are in it now. */
  busy: number;
  /** It gets no new prints and ends with its last one. */
  isLeaving: boolean;
  /** It was ended in the middle of its prints. */
  isEnded?: boolean;
}

export interface PrintLimits {
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
export async function withinLimits(
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
      const said = `it took more than ${mostMegabytes} MB of memory`;
      end(browser.busy === 1 ? new TooMuch(said) : new Error(`one of ${browser.busy} prints: ${said}`));
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
