import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { findChromium } from '../providers/documents/browser.ts';
import { credentials } from './demo-shop/stores.ts';
import { programFile } from './node-process.ts';
import { startStack } from './stack.ts';

/**
 * Takes the pictures of the operator's page for `docs/operators`, of a shop of its own after the demo's day. Before, it
 * plays a person whom a mail about a doubt wakes up: from opening the page to settled in at most three clicks and
 * fifteen seconds. It fails when that takes longer, and when a page has nothing to show.
 */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'pos-pictures-'));
const say = (line: string) => console.log(line);
const environment = { ...process.env, PORT: '0', POS_DATA_DIR: folder, POS_DEMO: '1' };

const size = (width: number, height: number) =>
  ({ viewport: { width, height }, deviceScaleFactor: 1, javaScriptEnabled: false }) as const;
const phone = size(390, 844);
const desk = size(1200, 800);

/** Its link stands on the first page: money that came in and went back. */
const storyOfADecision = 'the story of what was decided last';

interface Picture {
  name: string;
  path: string;
  look: BrowserContextOptions;
}

const pictures: readonly Picture[] = [
  { name: 'doubts', path: '/ops', look: { ...phone, colorScheme: 'light' } },
  { name: 'doubts-dark', path: '/ops', look: { ...phone, colorScheme: 'dark', locale: 'de-DE' } },
  { name: 'returns', path: '/ops/returns', look: { ...desk, colorScheme: 'light' } },
  { name: 'returns-narrow', path: '/ops/returns', look: { ...size(320, 640), colorScheme: 'light' } },
  { name: 'story', path: storyOfADecision, look: { ...desk, colorScheme: 'light' } },
  { name: 'story-german', path: storyOfADecision, look: { ...phone, colorScheme: 'light', locale: 'de-DE' } },
  { name: 'today', path: '/ops/today', look: { ...desk, colorScheme: 'light' } },
  { name: 'tills', path: '/ops/tills', look: { ...desk, colorScheme: 'dark' } },
  { name: 'staff', path: '/ops/staff', look: { ...desk, colorScheme: 'light' } },
  { name: 'mails', path: '/ops/mails', look: { ...desk, colorScheme: 'light' } },
  { name: 'receipts', path: '/ops/receipts', look: { ...desk, colorScheme: 'light' } },
  { name: 'layaways', path: '/ops/layaways', look: { ...desk, colorScheme: 'light' } },
  { name: 'books', path: '/ops/books', look: { ...desk, colorScheme: 'light' } },
  { name: 'health', path: '/ops/health', look: { ...desk, colorScheme: 'light' } },
];

const codeNow = (key: string, ahead: number) =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + ahead * 30_000 });

async function enterName(page: Page): Promise<void> {
  const { username, password } = credentials.admin;
  await page.fill('[name=name]', username);
  await page.fill('[name=password]', password);
}

/** The first sign-in makes the second factor. @returns the key in the phone */
async function enrol(page: Page, address: string): Promise<string> {
  await page.goto(`${address}/ops/sign-in`);
  await enterName(page);
  await page.click('main button');
  const key = (await page.locator('.secret').innerText()).replaceAll(' ', '');
  await page.fill('[name=code]', codeNow(key, 0));
  await page.click('main button');
  return key;
}

const mostClicks = 3;
const mostMs = 15_000;
/** As fast as a thumb types. */
const msALetter = 60;

/** Signs in, writes what was seen, and presses the button of the oldest doubt. */
async function playAPerson(page: Page, address: string, key: string): Promise<void> {
  let clicks = 0;
  const click = async (place: Locator) => {
    clicks++;
    await place.click();
  };
  const type = (place: string, text: string) =>
    page.locator(place).first().pressSequentially(text, { delay: msALetter });
  const began = performance.now();
  await page.goto(`${address}/ops`);
  // A browser fills in the name and the password that it keeps.
  await enterName(page);
  await type('[name=code]', codeNow(key, 1));
  await click(page.locator('main button'));
  await type('form[action^="/ops/doubts/"] [name=note]', 'Seen in the portal: refunded at 22:14.');
  await click(page.getByRole('button', { name: 'It went back' }).first());
  await page.getByText('Settled: the money went back').waitFor();
  const ms = performance.now() - began;
  say(`A person settled a doubt: ${clicks} clicks, ${(ms / 1_000).toFixed(1)} s from opening the page.`);
  if (clicks > mostClicks || ms > mostMs) throw new Error('A person at night has three clicks and fifteen seconds.');
}

async function takeAll(browser: Browser, address: string): Promise<void> {
  const first = await browser.newContext({ ...phone, locale: 'en-GB' });
  const page = await first.newPage();
  const key = await enrol(page, address);
  const night = await browser.newContext({ ...phone, locale: 'en-GB' });
  const state = await first.storageState();
  const nothing: string[] = [];
  for (const picture of pictures) {
    const context = await browser.newContext({ locale: 'en-GB', ...picture.look, storageState: state });
    if (!(await isTaken(await context.newPage(), address, picture))) nothing.push(picture.name);
    await context.close();
  }
  await playAPerson(await night.newPage(), address, key);
  if (nothing.length > 0) throw new Error(`The demo's day leaves nothing on ${nothing.join(', ')}.`);
}

/** False: the page has nothing to show. */
async function isTaken(page: Page, address: string, { name, path }: Picture): Promise<boolean> {
  await page.goto(address + (path === storyOfADecision ? '/ops' : path));
  if (path === storyOfADecision) await page.locator('.card').last().locator('dd a').last().click();
  const file = `docs/operators/ops-${name}.png`;
  await page.screenshot({ path: file, fullPage: true });
  say(file);
  // A page of several lists may have an empty one beside the others.
  return (await page.locator('.empty').count()) === 0 || (await page.locator('main .card').count()) > 0;
}

const found = await findChromium({ path: process.env['CHROMIUM_PATH'], cacheFolder: join(folder, 'cache') });
if (typeof found === 'string') throw new Error(found);
const stack = await startStack({ environment, say, giveUp: new AbortController().signal });
try {
  await run(process.execPath, [programFile('local/demo')], { env: environment, maxBuffer: 50_000_000 });
  const browser = await chromium.launch({ executablePath: found.path, env: found.env, args: ['--no-sandbox'] });
  await takeAll(browser, stack.ready.api.replace(/\/rest$/, ''));
  await browser.close();
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
