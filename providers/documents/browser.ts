import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserServer } from 'playwright-core';
import type { Log } from '../log.ts';
import type { BrowserUser } from './browser-user.ts';
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

/** A cold disk and a busy machine take that long. */
const longestStartMs = 20_000;

/** Gives a browser its own user. */
const asUser = fileURLToPath(new URL('as-user.sh', import.meta.url));

/** How a browser is started: as whom, and whether Chromium's own sandbox is around it. */
interface Start {
  user: BrowserUser | undefined;
  isBoxed: boolean;
}

interface Starting {
  found: Chromium;
  /** Absent: this process's user. */
  user: BrowserUser | undefined;
  log: Pick<Log, 'warn'>;
  /** After so long a start is given up; absent: as is usual. */
  startMs?: number | undefined;
}

/**
 * Starts a browser that knows nothing of ours: not the database's address, not the secret key. As a user of its own where
 * one is given, in Chromium's sandbox where the system allows one.
 */
export async function startBrowser({ found, user, log, startMs = longestStartMs }: Starting): Promise<RunningBrowser> {
  // Root has no sandbox to step into.
  const isRoot = process.getuid?.() === 0;
  const ways: Start[] = (isRoot && !user ? [false] : [true, false]).map((isBoxed) => ({ user, isBoxed }));
  let failed: unknown;
  for (const [at, way] of ways.entries()) {
    try {
      const started = await start(found, way, startMs);
      if (at > 0) log.warn({ error: failed, user: way.user?.name, isBoxed: way.isBoxed }, lessGuarded);
      return started;
    } catch (error) {
      failed = error;
    }
  }
  throw failed;
}

const lessGuarded =
  'the browser is less guarded on this system than it could be; it has neither network nor scripts all the same';

async function start({ path, env }: Chromium, { user, isBoxed }: Start, startMs: number): Promise<RunningBrowser> {
  // Loaded by the process that prints, and by no other: it is large.
  const { chromium } = await import('playwright-core');
  const server = await chromium.launchServer({
    executablePath: user ? asUser : path,
    headless: true,
    chromiumSandbox: isBoxed,
    env: {
      ...{ PATH: '/usr/bin:/bin', HOME: tmpdir(), TMPDIR: tmpdir(), LANG: 'C.UTF-8' },
      ...env,
      ...(user ? userFor(user, { path, isBoxed }) : {}),
    },
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

/** Chromium's sandbox may need a program of root's where a system has no user namespaces; without a sandbox nothing does. */
const userFor = ({ uid, gid }: BrowserUser, { path, isBoxed }: { path: string; isBoxed: boolean }) => ({
  BROWSER_PATH: path,
  BROWSER_UID: String(uid),
  BROWSER_GID: String(gid),
  BROWSER_SETPRIV: isBoxed ? '' : '--no-new-privs',
});

const killed = (server: BrowserServer) => server.kill().catch(() => undefined);
