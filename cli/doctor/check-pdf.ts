import { join } from 'node:path';
import { findChromium } from '../../providers/documents/find-chromium.ts';
import type { Surroundings } from '../support/surroundings.ts';
import { ok, warning, type Check } from './check.ts';

/** The browser that makes PDFs of receipts. Without one everything else works, and mails say that they have no PDF. */
export async function checkPdf({ settings }: Surroundings): Promise<Check> {
  const found = await findChromium({
    path: settings.CHROMIUM_PATH,
    cacheFolder: join(settings.POS_DATA_DIR, 'cache'),
  }).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  return typeof found === 'string'
    ? warning('pdf', found, 'install chromium-headless-shell, or set CHROMIUM_PATH')
    : ok('pdf', `made by ${found.path}`);
}
