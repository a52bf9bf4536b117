import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'pos-sources-'));
  cpSync('local/sources', join(project, 'local/sources'), { recursive: true });
  write("const greeting: string = 'as written';\nconsole.log(greeting);\n");
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const source = () => join(project, 'api', 'main.ts');
const kept = (name = '') => join(project, 'node_modules', '.cache', 'plain-sources', name);

function write(text: string): void {
  mkdirSync(join(project, 'api'), { recursive: true });
  writeFileSync(source(), text);
}

const node = (...command: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { cwd: project, encoding: 'utf8' });
  return { stdout, stderr, status };
};
const takeTypesOut = () => node('local/sources/take-types-out.mjs');
const run = () => node('--import', './local/sources/plain-sources.mjs', 'api/main.ts');

test('a process takes its sources from where their types are out already', () => {
  expect(takeTypesOut()).toStrictEqual({ stdout: '', stderr: '', status: 0 });
  const [only = '', ...others] = readdirSync(kept());
  expect(others).toStrictEqual([]);
  expect(readFileSync(kept(only), 'utf8')).toBe("const greeting         = 'as written';\nconsole.log(greeting);\n");

  writeFileSync(kept(only), "console.log('as kept');");
  expect(run().stdout).toBe('as kept\n');
});

test('an error is reported at its own line and column', () => {
  write('const nothing: { on?: () => void } = {};\nconst call = (): void => (nothing.on as () => void)();\ncall();\n');
  takeTypesOut();
  expect(run().stderr).toContain(`${source()}:2:52`);
});

test('a source that was changed since is never taken in its old form', () => {
  takeTypesOut();
  write("console.log('as changed' satisfies string);");
  expect(run().stdout).toBe('as changed\n');
});

test('without a look ahead each process does it for itself', () => {
  expect(run().stdout).toBe('as written\n');
});

test('what no source needs any more is removed, but not what another start is writing', () => {
  takeTypesOut();
  const before = readdirSync(kept());
  const anHourAgo = new Date(Date.now() - 3_600_000);
  writeFileSync(kept('unfinished-1-a.js'), '');
  writeFileSync(kept('unfinished-2-b.js'), '');
  utimesSync(kept('unfinished-1-a.js'), anHourAgo, anHourAgo);
  write("console.log('as changed' satisfies string);");
  takeTypesOut();
  const after = readdirSync(kept());
  expect(after).toHaveLength(2);
  expect(after).toContain('unfinished-2-b.js');
  expect(after).not.toContain(before[0]);
});

test('a folder that cannot be written is said in one sentence and stops no start', () => {
  mkdirSync(join(project, 'node_modules'));
  writeFileSync(join(project, 'node_modules', '.cache'), 'a file');
  const { stderr, status } = takeTypesOut();
  expect(stderr).toMatch(/^The types could not be taken out ahead \(.+\); each process does it for itself\.\n$/v);
  expect(status).toBe(0);
  expect(run().stdout).toBe('as written\n');
});

test('no source of a running shop is forgotten', () => {
  execFileSync(process.execPath, ['local/sources/take-types-out.mjs']);
  const listed = execFileSync('git', ['ls-files', '*.ts'], { encoding: 'utf8' }).trim().split('\n');
  const running = listed.filter((file) => /^(?!test\/|bench\/)[^\/]+\//v.test(file) && existsSync(file));
  expect(running.length).toBeGreaterThan(1_500);
  const nameOf = (file: string) => `${hash('sha256', process.version + readFileSync(file, 'utf8'))}.js`;
  const there = new Set(readdirSync('node_modules/.cache/plain-sources'));
  expect(running.filter((file) => !there.has(nameOf(file)))).toStrictEqual([]);
});
