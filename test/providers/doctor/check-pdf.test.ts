import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { checkPdf } from '../../../providers/doctor/diagnose.ts';
import { parseSettings } from '../../../providers/settings.ts';
import { cacheFolder, realChromium } from '../../support/receipts/real-printer.ts';
import { spoken, type DoctorContext } from '../../../providers/doctor/check.ts';

const folder = mkdtempSync(join(tmpdir(), 'pos-pdf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const browser = await realChromium();
symlinkSync(cacheFolder, join(folder, 'cache'));

const checked = async (environment: Record<string, string>) => {
  const settings = parseSettings({ POS_DATA_DIR: folder, ...environment });
  return (await checkPdf({ settings } as DoctorContext)).map((check) => spoken(check));
};

test('doctor says what to install where no browser is', async () => {
  expect(await checked({ CHROMIUM_PATH: '/nowhere/chromium' })).toMatchObject([
    { name: 'pdf', state: 'warning', fix: expect.stringContaining('install chromium-headless-shell') },
  ]);
});

test('doctor says it where what is called a browser does not start', async () => {
  expect(await checked({ CHROMIUM_PATH: '/bin/true' })).toMatchObject([
    { name: 'pdf', state: 'ok' },
    { name: 'letters', state: 'warning', says: expect.stringMatching(/^no PDF can be made \(/) },
  ]);
});

if (browser)
  test('doctor draws a letter of each script, and all come with the install', async () => {
    const [pdf, letters] = await checked({});

    expect(pdf).toMatchObject({ name: 'pdf', state: 'ok' });
    expect(letters).toMatchObject({ name: 'letters', state: 'ok', says: expect.stringContaining('Tamil') });
  });
