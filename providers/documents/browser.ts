import { tmpdir } from 'node:os';
import type { Browser, BrowserServer } from 'playwright-core';
import type { Log } from '../log.ts';
import type { Chromium } from './find-chromium.ts';

/** A running browser, and how to end it even when it hangs. */
export interface RunningBrowser {
  browser: Browser;
  pid: number;
  kill(): Promise<void>;
}

/**
 * Three barriers against any network access: no name is resolved, every address goes through a proxy that does not
 * exist, and the browser's own requests are switched off.
 */
const shutIn = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--dns-prefetch-disable',
  '--block-new-web-contents',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
];

const startMs = 20_000;

/** Starts a browser without our environment: neither the database's address nor the secret key. */
export async function startBrowser(found: Chromium, log: Pick<Log, 'warn'>): Promise<RunningBrowser> {
  // For root the browser's sandbox does not work.
  if (process.getuid?.() === 0) return start(found, { isBoxed: false });
  try {
    return await start(found, { isBoxed: true });
  } catch (error) {
    log.warn({ error }, 'the browser has no sandbox on this system; it has neither network nor scripts all the same');
    return start(found, { isBoxed: false });
  }
}

async function start({ path, env }: Chromium, { isBoxed }: { isBoxed: boolean }): Promise<RunningBrowser> {
  // Loaded only by the process that prints, because it is large.
  const { chromium } = await import('playwright-core');
  const server = await chromium.launchServer({
    executablePath: path,
    headless: true,
    chromiumSandbox: isBoxed,
    env: { PATH: '/usr/bin:/bin', HOME: tmpdir(), TMPDIR: tmpdir(), LANG: 'C.UTF-8', ...env },
    args: shutIn,
    timeout: startMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    host: '127.0.0.1',
  });
  const browser = await chromium.connect(server.wsEndpoint(), { timeout: startMs }).catch(async (error: unknown) => {
    await killed(server);
    throw error;
  });
  return { browser, pid: server.process().pid ?? 0, kill: () => killed(server) };
}

const killed = (server: BrowserServer) => server.kill().catch(() => undefined);
