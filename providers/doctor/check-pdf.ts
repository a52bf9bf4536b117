import { join } from 'node:path';
import { browserOwner } from '../documents/browser-user.ts';
import { createPrinter } from '../documents/chromium-printer.ts';
import { findChromium, type Chromium } from '../documents/find-chromium.ts';
import type { Settings } from '../settings.ts';
import { ok, reasonOf, warning, type Check, type DoctorContext } from './check.ts';

/**
 * The browser that makes PDFs of receipts, and the letters it can draw. Without one everything else works, and mails say
 * that they have no PDF.
 */
export async function checkPdf({ settings }: DoctorContext): Promise<Check[]> {
  const given = { path: settings.CHROMIUM_PATH, cacheFolder: join(settings.POS_DATA_DIR, 'cache') };
  const found = await findChromium(given).catch(reasonOf);
  const fix = 'install chromium-headless-shell, or set CHROMIUM_PATH';
  return typeof found === 'string' ? [warning('pdf', found, fix)] : [ownership(found, settings), await letters(given)];
}

type Given = Pick<Parameters<typeof createPrinter>[0], 'path' | 'cacheFolder'>;

/** Draws a letter of each script, as a receipt would. */
async function letters(given: Given): Promise<Check> {
  const printer = createPrinter({ ...given, log: { info: () => undefined, warn: () => undefined } });
  try {
    const undrawn = await printer.undrawn();
    return undrawn.length === 0
      ? ok(
          'letters',
          'a PDF shows Latin, Greek, Cyrillic, Arabic, Hebrew, Chinese, Japanese, Korean, Thai, Hindi, Tamil, emoji',
        )
      : warning(
          'letters',
          `a PDF does not show letters of: ${undrawn.join(', ')}`,
          'run npm ci, or install a font of them',
        );
  } catch (error) {
    return warning(
      'letters',
      `no PDF can be made (${reasonOf(error)})`,
      'install chromium-headless-shell, or set CHROMIUM_PATH',
    );
  } finally {
    await printer.close();
  }
}

function ownership(found: Chromium, settings: Settings): Check {
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
