import { readFileSync } from 'node:fs';

/** A user of this machine for a browser's process. */
export interface BrowserUser {
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
export const browserOwner = (wanted: string | undefined): BrowserOwner =>
  browserOwnerOf({
    wanted,
    uid: process.getuid?.() ?? -1,
    status: textOf('/proc/self/status'),
    passwd: textOf('/etc/passwd'),
  });

function rightsOf(status: string, which: 'CapEff' | 'CapAmb'): bigint {
  const line = status.split('\n').find((one) => one.startsWith(`${which}:`)) ?? '';
  return BigInt(`0x${line.slice(which.length + 1).trim() || '0'}`);
}

function userNamed(wanted: string, passwd: string): BrowserUser | undefined {
  for (const line of passwd.split('\n')) {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    if ((name === wanted || uid === wanted) && /^\d+$/.test(uid) && /^\d+$/.test(gid))
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
