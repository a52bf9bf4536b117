import { join } from 'node:path';
import { browserOwner } from '../../providers/documents/browser-user.ts';
import { findChromium } from '../../providers/documents/find-chromium.ts';
import type { CommandContext } from '../support/command-context.ts';
import { ok, warning, type Check } from './check.ts';

/** The browser that makes PDFs of receipts. Without one everything else works, and mails say that they have no PDF. */
export async function checkPdf({ settings }: CommandContext): Promise<Check> {
  const found = await findChromium({
    path: settings.CHROMIUM_PATH,
    cacheFolder: join(settings.POS_DATA_DIR, 'cache'),
  }).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  if (typeof found === 'string') return warning('pdf', found, 'install chromium-headless-shell, or set CHROMIUM_PATH');
  const owner = browserOwner(settings.CHROMIUM_USER);
  const made = `made by ${found.path}`;
  if (owner.user) return ok('pdf', `${made}, run by user ${owner.user.name} where the worker starts like this`);
  return settings.CHROMIUM_USER === undefined
    ? ok('pdf', `${made}, run by the worker’s own user: ${owner.reason}`)
    : warning(
        'pdf',
        `CHROMIUM_USER asks for a user of its own, but ${owner.reason}`,
        'start the worker as root, or unset CHROMIUM_USER',
      );
}
