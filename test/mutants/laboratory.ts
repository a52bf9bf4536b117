import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { startPostgres } from '../../local/postgres.ts';
import { findServer } from '../../local/temporal/find-server.ts';
import { prepareServer } from '../../local/temporal/prepare-server.ts';
import { startTemporal } from '../../local/temporal/start-server.ts';
import type { Mutant } from './mutant.ts';

/** `broken`: the tests could not even be run, which proves nothing. */
export type Verdict = 'killed' | 'survived' | 'broken';

export interface Tested {
  verdict: Verdict;
  /** Of the tests that failed; where it is broken, what was said. */
  words: string[];
}

export interface Laboratory {
  /** Runs the tests with the mistake made, or, without one, as they are. */
  run(tests: readonly string[], mutant?: Pick<Mutant, 'patches' | 'sql' | 'named'>): Promise<Tested>;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const notCopied = new Set(['node_modules', '.git', '.data', '.cache']);
const killedWithinMsAFile = 240_000;
const wordsKept = 2_000;

/** A copy of the source to spoil, with one PostgreSQL and one Temporal server for all mistakes. */
export async function openLaboratory(): Promise<Laboratory> {
  const tree = mkdtempSync(join(tmpdir(), 'pos-mutants-'));
  cpSync(root, tree, { recursive: true, filter: (source) => !notCopied.has(basename(source)) });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const postgres = await startPostgres({ durable: false });
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query('create database pristine_pos');
  await migrate(postgres.url('pristine_pos'));
  const temporal = await temporalServer();
  return {
    async run(tests, mutant = {}) {
      const undo = spoil(tree, mutant.patches ?? []);
      try {
        await template(admin, postgres.url('template_pos'), mutant.sql);
        return await runTests(tree, tests, mutant.named, {
          TEST_POSTGRES: postgres.url(''),
          TEST_TEMPORAL: temporal.address,
        });
      } finally {
        undo();
      }
    },
    async close() {
      await admin.end();
      await Promise.all([postgres.stop(), temporal.stop()]);
      rmSync(tree, { recursive: true, force: true });
    },
  };
}

async function temporalServer() {
  const found = await findServer({ environment: process.env, say: (line) => console.error(line) });
  if ('binary' in found) return startTemporal({ binary: found.binary, namespace: 'pos' });
  await prepareServer({ address: found.address, namespace: 'pos' });
  return { address: found.address, stop: () => Promise.resolve() };
}

/** @returns what puts the source right again */
function spoil(tree: string, patches: NonNullable<Mutant['patches']>): () => void {
  const before = new Map<string, string>();
  for (const { file, find, replace } of patches) {
    const path = join(tree, file);
    const text = readFileSync(path, 'utf8');
    if (!before.has(path)) before.set(path, text);
    if (text.split(find).length !== 2) throw new Error(`the patch of ${file} does not fit any more`);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
  return () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
}

/** The database every test takes a copy of: new each time, spoiled where that is the mistake. */
async function template(admin: pg.Client, url: string, sql: string | undefined): Promise<void> {
  await admin.query('drop database if exists template_pos');
  await admin.query('create database template_pos template pristine_pos');
  if (sql === undefined) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

interface Report {
  numPassedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
}

async function runTests(
  tree: string,
  tests: readonly string[],
  named: string | undefined,
  environment: Record<string, string>,
): Promise<Tested> {
  const output = join(tree, 'report.json');
  rmSync(output, { force: true });
  const jest = [
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--config',
    'test/mutants/jest.config.mjs',
  ];
  const chosen = [...(named === undefined ? [] : ['-t', named]), '--runTestsByPath', ...tests];
  const said = await spawned([...jest, '--json', `--outputFile=${output}`, ...chosen], {
    cwd: tree,
    env: { ...process.env, ...environment },
    patienceMs: killedWithinMsAFile * tests.length,
  });
  if (!existsSync(output)) return { verdict: 'broken', words: [said.slice(-wordsKept)] };
  const report: Report = JSON.parse(readFileSync(output, 'utf8'));
  const failed = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const names = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName);
    // Where a hook fails, its tests are skipped.
    return names.length === 0 && status === 'failed' && assertionResults.length > 0 ? [relative(tree, name)] : names;
  });
  if (failed.length > 0) return { verdict: 'killed', words: failed };
  const isBroken = report.testResults.some(({ status }) => status === 'failed') || report.numPassedTests === 0;
  return { verdict: isBroken ? 'broken' : 'survived', words: isBroken ? [said.slice(-wordsKept)] : [] };
}

function spawned(
  given: string[],
  { patienceMs, ...options }: { cwd: string; env: NodeJS.ProcessEnv; patienceMs: number },
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, given, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
    const impatience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.once('exit', () => {
      clearTimeout(impatience);
      resolve(said);
    });
  });
}
