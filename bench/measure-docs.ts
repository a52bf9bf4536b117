import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../providers/documents/browser.ts';

/**
 * How long `/docs` takes until its first operation is on the screen: on a phone with a slow processor behind a mobile
 * line, and on a desk. Each run begins with an empty cache.
 *
 * Usage: `node bench/measure-docs.ts http://127.0.0.1:8080/docs [folder for pictures]`.
 */
const runs = 5;

interface Device {
  width: number;
  height: number;
  isMobile: boolean;
  /** How many times slower than this machine. */
  slower: number;
  /** In bits a second; undefined: as fast as the machine. */
  line: number | undefined;
  /** Of one way there and back. */
  latencyMs: number;
}

const devices: Record<string, Device> = {
  phone: { width: 390, height: 844, isMobile: true, slower: 4, line: 9_000_000, latencyMs: 40 },
  desktop: { width: 1_280, height: 900, isMobile: false, slower: 1, line: undefined, latencyMs: 0 },
};

const bitsPerByte = 8;
const [, , url, pictures] = process.argv;
if (url === undefined) throw new Error('Name the address of /docs.');
const found = await findChromium({ path: process.env['CHROMIUM_PATH'], cacheFolder: join(tmpdir(), 'chromium') });
if (typeof found === 'string') throw new Error(found);
const browser = await chromium.launch({ executablePath: found.path, env: { ...found.env }, args: ['--no-sandbox'] });
try {
  for (const [name, device] of Object.entries(devices)) {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await timeOf(browser, device, url));
    console.log(`${name}: first operation after ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
    if (pictures !== undefined) await picture(browser, { name, device, url, folder: pictures });
  }
} finally {
  await browser.close();
}

async function pageOf(by: Browser, { width, height, isMobile }: Device, colorScheme: 'dark' | 'light' = 'light') {
  return (await by.newContext({ viewport: { width, height }, isMobile, colorScheme })).newPage();
}

/** From the call until the frame after the one that has an operation. */
async function timeOf(by: Browser, device: Device, at: string): Promise<number> {
  const page = await pageOf(by, device);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setCPUThrottlingRate', { rate: device.slower });
  const perSecond = device.line === undefined ? -1 : device.line / bitsPerByte;
  const { latencyMs: latency } = device;
  const network = { offline: false, latency, downloadThroughput: perSecond, uploadThroughput: perSecond };
  await session.send('Network.emulateNetworkConditions', network);
  await page.addInitScript(`(() => {
    const look = () => document.querySelector('details summary')
      ? requestAnimationFrame(() => { globalThis.firstOperation = performance.now(); })
      : requestAnimationFrame(look);
    requestAnimationFrame(look);
  })()`);
  await page.goto(at, { waitUntil: 'commit' });
  const handle = await page.waitForFunction(() => Reflect.get(globalThis, 'firstOperation') as unknown);
  const ms = Number(await handle.jsonValue());
  await page.context().close();
  return ms;
}

interface Picture {
  name: string;
  device: Device;
  url: string;
  folder: string;
}

/** As it opens, and with an operation open, in both colour schemes. */
async function picture(by: Browser, { name, device, url: at, folder }: Picture): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const scheme of ['light', 'dark'] as const) {
    const page = await pageOf(by, device, scheme);
    await page.goto(at, { waitUntil: 'load' });
    await page.screenshot({ path: join(folder, `${name}-${scheme}.png`) });
    await page.goto(`${at}#settleReturn`, { waitUntil: 'load' });
    await page.waitForSelector('#settleReturn table');
    await page.locator('#settleReturn').scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(folder, `${name}-${scheme}-open.png`) });
    await page.context().close();
  }
}
