import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PeerWish } from './peer.ts';

/**
 * Installs a peer in its own folder, outside the project: `npm ci` does not install it. A folder with the right
 * versions is used again.
 *
 * @returns the folder
 */
export function installPeer(name: string, { home, say }: PeerWish): string {
  const source = join(import.meta.dirname, name);
  const folder = join(home, name);
  const isInstalled = existsSync(join(folder, 'node_modules')) && wishOf(folder) === wishOf(source);
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  if (isInstalled) return folder;
  say(`Installing ${name} in ${folder} …`);
  const flags = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  execFileSync('npm', flags, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

const wishOf = (folder: string): string => {
  const file = join(folder, 'package.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** The installed version of a package. */
export function versionOf(folder: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  return String(version);
}
