import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from '../providers/documents/find-chromium.ts';
import { credentials } from './demo-shop/credentials.ts';
import { startStack } from './stack.ts';

/** Takes the pictures of the operator's page for `docs/operators`: of a shop of its own, after the demo's day. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'pos-pictures-'));
const say = (line: string) => console.log(line);
const environment = { ...process.env, PORT: '0', POS_DATA_DIR: folder, POS_DEMO: '1' };

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, javaScriptEnabled: false } as const;
const desk = { viewport: { width: 1200, height: 800 }, deviceScaleFactor: 1, javaScriptEnabled: false } as const;

/** Its link stands on the first page: money that came in and went back. */
const storyOfADecision = 'the story of what was decided last';

const pictures: readonly { name: string; path: string; look: BrowserContextOptions }[] = [
  { name: 'doubts', path: '/ops', look: { ...phone, colorScheme: 'light' } },
  { name: 'doubts-dark', path: '/ops', look: { ...phone, colorScheme: 'dark', locale: 'de-DE' } },
  { name: 'returns', path: '/ops/returns', look: { ...desk, colorScheme: 'light' } },
  { name: 'story', path: storyOfADecision, look: { ...desk, colorScheme: 'light' } },
  { name: 'today', path: '/ops/today', look: { ...desk, colorScheme: 'light' } },
  { name: 'tills', path: '/ops/tills', look: { ...desk, colorScheme: 'dark' } },
  { name: 'books', path: '/ops/books', look: { ...desk, colorScheme: 'light' } },
  { name: 'health', path: '/ops/health', look: { ...desk, colorScheme: 'light' } },
];

/** The first sign-in makes the second factor; later ones use its next code. */
async function signIn(page: Page, address: string, secret: string | undefined): Promise<string> {
  const { username, password } = credentials.admin;
  await page.goto(`${address}/ops/sign-in`);
  await page.fill('[name=name]', username);
  await page.fill('[name=password]', password);
  await page.click('main button');
  const key = secret ?? (await page.locator('.secret').innerText()).replaceAll(' ', '');
  await page.fill('[name=code]', new TOTP({ secret: Secret.fromBase32(key) }).generate());
  await page.click('main button');
  return key;
}

async function takeAll(browser: Browser, address: string): Promise<void> {
  const first = await browser.newContext(phone);
  await signIn(await first.newPage(), address, undefined);
  const state = await first.storageState();
  for (const { name, path, look } of pictures) {
    const context = await browser.newContext({ locale: 'en-GB', ...look, storageState: state });
    const page = await context.newPage();
    await page.goto(address + (path === storyOfADecision ? '/ops' : path));
    if (path === storyOfADecision) await page.locator('.card').last().locator('dd a').last().click();
    await page.screenshot({ path: `docs/operators/ops-${name}.png`, fullPage: true });
    say(`docs/operators/ops-${name}.png`);
    await context.close();
  }
}

const found = await findChromium({ path: process.env['CHROMIUM_PATH'], cacheFolder: join(folder, 'cache') });
if (typeof found === 'string') throw new Error(found);
const stack = await startStack({ environment, say, giveUp: new AbortController().signal });
try {
  await run(process.execPath, ['local/demo.ts'], { env: environment, maxBuffer: 50_000_000 });
  const browser = await chromium.launch({ executablePath: found.path, env: found.env, args: ['--no-sandbox'] });
  await takeAll(browser, stack.ready.api.replace(/\/rest$/, ''));
  await browser.close();
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
