import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { createPrinter } from '../../../providers/documents/chromium-printer.ts';
import { findChromium } from '../../../providers/documents/browser.ts';
import { silent } from '../fakes.ts';

/** Kept between runs: unpacking the browser takes seconds. */
export const cacheFolder = join(process.env['TEST_KEPT'] ?? tmpdir(), `pos-test-chromium-${process.getuid?.() ?? 0}`);
const path = process.env['CHROMIUM_PATH'];

/** The browser of this machine; undefined without one, and tests that need it are skipped. */
export async function realChromium() {
  const found = await findChromium({ path, cacheFolder });
  return typeof found === 'string' ? undefined : found;
}

export const aRealPrinter = () => createPrinter({ path, cacheFolder, log: silent });
