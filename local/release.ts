import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MikroORM } from '@mikro-orm/postgresql';
import { planOf, shippedSteps, type PlannedStep } from '../db/migrate/steps.ts';
import { ormOptions } from '../db/orm.ts';
import { version } from '../providers/release.ts';
import { toolOptions } from './tool-options.ts';
import { isEntryPoint } from '../db/support/is-entry-point.ts';

/**
 * `npm run tools -- release`: releases the version that the CHANGELOG names, and says which tag ends it. `--next 2.1.0`
 * names the version that comes after. Safe to run again; what `git diff` shows is all that it did.
 */
export const releasesFile = fileURLToPath(new URL('../db/migrations/released.json', import.meta.url));

/** A version that shops run: from now on its migrations say what they said that day. */
export interface Release {
  version: string;
  day: string;
  /** Every step that it ships, and the digest of what the step does. */
  steps: Readonly<Record<string, string>>;
}

/** Every release, the oldest first; none before the first. */
export const readReleases = (file = releasesFile): Release[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Release[]) : [];

/** Of what a step does, not of how its file is written. */
export const digestOf = ({ texts, isWhole, needs }: PlannedStep): string =>
  createHash('sha256')
    .update(JSON.stringify([texts, isWhole, needs ?? null]))
    .digest('hex');

/** Every step that these sources ship, with its digest. It needs no server. */
export async function shippedDigests(): Promise<Record<string, string>> {
  const orm = await MikroORM.init(ormOptions('postgres://nobody@127.0.0.1/none'));
  try {
    const plans = await Promise.all((await shippedSteps()).map((step) => planOf(orm, step)));
    return Object.fromEntries(plans.map((plan) => [plan.name, digestOf(plan)]));
  } finally {
    await orm.close(true);
  }
}

/** What a later source did to released steps; nothing where all is as it was. */
export const changedSteps = (releases: readonly Release[], now: Readonly<Record<string, string>>): string[] =>
  releases.flatMap(({ version, steps }) =>
    Object.entries(steps).flatMap(([name, digest]) => {
      if (now[name] === digest) return [];
      return [`${name} was released with ${version}, and ${name in now ? 'does something else now' : 'is gone'}`];
    }),
  );

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const readText = (name: string) => readFileSync(pathOf(name), 'utf8');

const notYet = 'not released yet';
const heading = /^## (\d+\.\d+\.\d+), (module version \d+\.\d+\.\d+), (.*)$/m;

/** The newest version of the CHANGELOG, and whether it has the day of its release. */
export function topOf(changelog: string) {
  const [line = '', version = '', module = '', when = ''] = heading.exec(changelog) ?? [];
  if (line === '')
    throw new Error('The CHANGELOG has no heading such as "## 2.0.0, module version 1.3.0, not released yet".');
  return { line, version, module, isReleased: when !== notYet };
}

/** The CHANGELOG with a heading for the next version; one that is not released takes its name. */
export function withNext(changelog: string, version: string): string {
  const { line, module, isReleased } = topOf(changelog);
  const next = `## ${version}, ${module}, ${notYet}`;
  return changelog.replace(line, isReleased ? `${next}\n\n${line}` : next);
}

/** The CHANGELOG with the day of its release at the top. */
export function withDay(changelog: string, day: string): string {
  const { line, version, module, isReleased } = topOf(changelog);
  return isReleased ? changelog : changelog.replace(line, `## ${version}, ${module}, ${day}`);
}

/** Everywhere that the version stands; a house test finds a place that was left out. */
function nameNext(next: string): void {
  const old = version.replaceAll('.', '\\.');
  const inPackage = new RegExp(`("name": "point-of-sale-(?:backend|client)",\\n\\s+"version": )"${old}"`, 'g');
  for (const file of ['package.json', 'client/package.json', 'package-lock.json'])
    writeFileSync(pathOf(file), readText(file).replaceAll(inPackage, `$1"${next}"`));
  const chart = 'deploy/helm/point-of-sale/Chart.yaml';
  writeFileSync(pathOf(chart), readText(chart).replace(/^appVersion: .*$/m, `appVersion: '${next}'`));
  writeFileSync(pathOf('CHANGELOG.md'), withNext(readText('CHANGELOG.md'), next));
}

/** Ends where a part fails: what was written stays, and the next run writes it again. */
function runPart(...words: string[]): void {
  const { status } = spawnSync(process.execPath, words, { cwd: pathOf('.'), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function release(day: string): Promise<void> {
  const others = readReleases().filter((one) => one.version !== version);
  const steps = await shippedDigests();
  const changed = changedSteps(others, steps);
  if (changed.length > 0) throw new Error(`${changed.join('; ')}. A released migration never changes.`);
  runPart(join('local', 'api-changes.ts'), '--release');
  writeFileSync(pathOf('CHANGELOG.md'), withDay(readText('CHANGELOG.md'), day));
  writeFileSync(releasesFile, `${JSON.stringify([...others, { version, day, steps }], null, 2)}\n`);
  runPart(join('node_modules', 'oxfmt', 'bin', 'oxfmt'), 'docs/reference', 'CHANGELOG.md', 'db/migrations');
  // Last, as it needs servers: on a machine too busy for them all else is written, and this part alone is run again.
  console.log('All but its shop is written down. The shop is kept now: node test/db/releases/keep-shop.ts', version);
  runPart(join('test', 'db', 'releases', 'keep-shop.ts'), version);
  console.log(`${version} is written down. Look at git diff; then:
  npm test -- test/house/migrations test/house/documents test/db/upgrade
  git add --all && git commit --message 'Release ${version}'
  git tag --annotate v${version} --message 'Release ${version}'
  npm run tools -- release --next <the version that comes next>`);
}

if (isEntryPoint(import.meta)) {
  const values = toolOptions({
    command: 'npm run tools -- release',
    about: 'Releases the version of package.json: its day, its migrations, its API document, a shop of it.',
    options: {
      next: { type: 'string', value: 'VERSION', says: 'releases nothing, and names the version that comes next' },
      day: {
        type: 'string',
        value: 'YYYY-MM-DD',
        default: new Date().toISOString().slice(0, 10),
        says: 'of the release',
      },
    },
  });
  try {
    if (values.next === undefined) await release(values.day ?? '');
    else if (/^\d+\.\d+\.\d+$/.test(values.next)) nameNext(values.next);
    else throw new Error(`--next is "${values.next}", but a version such as 2.1.0 is wanted.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
