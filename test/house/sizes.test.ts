import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { layers, sourcesOf, type Source } from './sources.ts';

const linesWith = (sources: readonly Source[], pattern: RegExp) =>
  sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );

test('a file is named after what it holds: words with dashes', () => {
  const odd = sourcesOf(...layers)
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('db/migrations/'))
    .filter((path) => !/^(?:[a-z0-9-]+\/)+[a-z0-9-]+(?:\.(?:entity|repository|gen|test|d))?\.ts$/.test(path));
  expect(odd).toEqual([]);
});

test('what describes tables is a file that says so; the audit trail has its writes beside its one table', () => {
  const describing = sourcesOf('db')
    .filter(({ text }) => text.includes('defineEntity({'))
    .map(({ path }) => path);
  expect(describing.length).toBeGreaterThan(40);
  expect(describing.filter((path) => !path.endsWith('.entity.ts'))).toEqual(['db/audit.ts']);
});

describe('words that are not said', () => {
  test('no clock and no chance where the same must come out twice', () => {
    expect(
      linesWith(sourcesOf('domain', 'workflows'), /Date\.now\(|new Date\(\)|Math\.random\(|crypto\.random/),
    ).toEqual([]);
  });

  test('no operator that a caller could send, no SQL put together from values', () => {
    expect(linesWith(sourcesOf('db', 'books', 'api'), /\braw\(\s*`[^`]*\$\{/)).toEqual([]);
  });
});

/**
 * What the linter refuses: `.oxlintrc.json`. A rule that is misspelt there, or that no file falls under, would refuse
 * nothing.
 */
describe('the linter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pos-lint-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The rules that a file breaks. */
  function brokenBy(file: string, text: string): string[] {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    // The rules of a folder go by paths from where the configuration is.
    copyFileSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
    const words = [resolve('node_modules/oxlint/bin/oxlint'), '--format', 'json', file];
    const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    return [...new Set(diagnostics.map(({ code }) => code))];
  }

  const lines = (count: number) => 'export {};\n'.repeat(count);

  test.each([
    ['a product file of more than 400 lines', 'db/long.ts', lines(401), 'eslint(max-lines)'],
    [
      'a number that can be guessed',
      'db/guess.ts',
      'export const code = Math.random();\n',
      'eslint(no-restricted-properties)',
    ],
    ['a float read from a text', 'domain/a.ts', "export const a = parseFloat('1');\n", 'eslint(no-restricted-globals)'],
    [
      'the same by its other name',
      'domain/b.ts',
      "export const a = Number.parseFloat('1');\n",
      'eslint(no-restricted-properties)',
    ],
    [
      'a lock of what was read before',
      'db/lock.ts',
      'export const f = (em: { lock: () => void }) => em.lock();\n',
      'eslint(no-restricted-properties)',
    ],
    [
      'a type that says nothing',
      'api/any.ts',
      'export const a = (b: any): void => b();\n',
      'typescript(no-explicit-any)',
    ],
    [
      'an error that is waved away',
      'api/wave.ts',
      '// @ts-expect-error\nexport const a: string = 1;\n',
      'typescript(ban-ts-comment)',
    ],
    ['something left for later', 'cli/later.ts', '// TODO\nexport const a = 1;\n', 'eslint(no-warning-comments)'],
    ['a test alone', 'test/a.test.ts', "test.only('sells', () => undefined);\n", 'jest(no-focused-tests)'],
    ['a test that is left out', 'test/b.test.ts', "test.skip('sells', () => undefined);\n", 'jest(no-disabled-tests)'],
  ])('refuses %s', (_, file, text, rule) => {
    expect(brokenBy(file, text)).toContain(rule);
  });

  test('refuses a test file of more than 700 lines, and none of 700', () => {
    expect(brokenBy('test/long.test.ts', lines(700))).toEqual([]);
    expect(brokenBy('test/longer.test.ts', lines(701))).toEqual(['eslint(max-lines)']);
    expect(brokenBy('db/full.ts', lines(400))).toEqual([]);
  });
});
