import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A folder that belongs to one browser. It names the profile, which Playwright makes next to it. */
export interface BrowserFolder {
  path: string;
  /** @param command how the browser was started, word by word */
  noteProfile(command: readonly string[]): Promise<void>;
  /** Removes the folder and the profile, once the browser has ended. Safe to repeat. */
  remove(): Promise<void>;
}

/**
 * Makes the folder of a browser, and removes the files of browsers whose process was killed. Playwright removes them
 * only while its own process lives, so each restart of a worker that is short of memory would leave one more profile.
 */
export async function makeBrowserFolder(): Promise<BrowserFolder> {
  await removeLeftFolders();
  const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-${birthOf(process.pid) ?? unknown}-`));
  return {
    path,
    async noteProfile(command) {
      const profile = command.find((word) => word.startsWith(profileOption))?.slice(profileOption.length);
      if (profile !== undefined) await writeFile(join(path, profileFile), profile);
    },
    remove: () => removed(path),
  };
}

const profileOption = '--user-data-dir=';
const profileFile = 'profile';
/** Another machine may use the same temporary folder; its processes are not known here. */
const prefix = `pos-browser-${hostname()}-`;
const unknown = 'unknown';

async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const path = join(tmpdir(), name);
    const [pid, born] = name.slice(prefix.length).split('-');
    if (!isRunning(Number(pid), born) && (await isOwn(path))) await removed(path);
  }
}

/** Another user's folder may name anything as its profile. */
const isOwn = (path: string) =>
  stat(path).then(
    ({ uid }) => uid === process.getuid?.(),
    () => false,
  );

/** Where the system does not say when a process began, it still says whether there is one. */
function isRunning(pid: number, born: string | undefined): boolean {
  if (born !== unknown) return birthOf(pid) === born;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** When a process began, as the system counts it: an id alone is soon reused. Undefined: it has ended. */
function birthOf(pid: number): string | undefined {
  try {
    // The name in brackets may contain anything, so fields are counted from its end.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Processes of a killed browser may still write for a moment: what is left then, the next start removes. */
async function removed(path: string): Promise<void> {
  const profile = await readFile(join(path, profileFile), 'utf8').catch(() => '');
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    if (basename(profile).startsWith('playwright_')) await rm(profile, options);
    await rm(path, options);
  } catch {
    // Named by its folder until it can be removed.
  }
}
