import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'pos-clone-'));
  mkdirSync(join(clone, 'local'));
  for (const file of ['package-lock.json', 'local/installed.mjs']) cpSync(file, join(clone, file));
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const check = () => spawnSync(process.execPath, ['local/installed.mjs'], { cwd: clone, encoding: 'utf8' });

/** What npm writes down of the packages that it installed. */
function install(change: (packages: Record<string, { version: string }>) => void): void {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  change(lock.packages);
  mkdirSync(join(clone, 'node_modules'));
  writeFileSync(join(clone, 'node_modules', '.package-lock.json'), JSON.stringify(lock));
}

test.each(Object.entries(scripts))('npm run %s looks first whether the packages are there', (_name, script) => {
  // What only calls other scripts leaves it to them.
  expect(script).toMatch(/^(?:node local\/installed\.mjs && |npm run )/v);
});

test('a clone without packages says what to do, in one sentence', () => {
  expect(check()).toMatchObject({ status: 1, stdout: '', stderr: 'The packages are not installed. Run: npm ci\n' });
});

test('packages of another day are told apart from those of today', () => {
  install((packages) => {
    packages['node_modules/zod'] = { version: '0.0.1' };
  });
  expect(check()).toMatchObject({
    status: 1,
    stderr: 'The installed packages are not those of package-lock.json. Run: npm ci\n',
  });
});

test('an image without the packages for developers is whole', () => {
  install((packages) => {
    for (const [name, one] of Object.entries(packages)) if ('dev' in one || 'devOptional' in one) delete packages[name];
  });
  expect(check()).toMatchObject({ status: 0, stderr: '' });
});

test('with the packages of the lock file nothing is said', () => {
  install(() => undefined);
  expect(check()).toMatchObject({ status: 0, stdout: '', stderr: '' });
});
