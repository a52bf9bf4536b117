import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CommanderError } from 'commander';
import { createProgram } from '../../cli/program.ts';
import { tools } from '../../local/tools.ts';
import { samplesOf } from '../support/page-sample.ts';
import { documentsOf } from './documents.ts';
import { importsOf } from './graph.ts';
import { sourcesOf } from './sources.ts';

const documents = ['README.md', 'providers/README.md', 'local/README.md', ...documentsOf('docs')];

/** What stands as code: the lines of a block, or a span, which may go over the end of a line. */
const codeIn = (text: string) =>
  [...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`]+)`/g)].flatMap(([, block, span = '']) =>
    block === undefined ? [span.replaceAll(/\s+/g, ' ')] : block.split('\n').map((line) => line.replace(/\s+#.*$/, '')),
  );

/** What a reader is told to type, a command each, without the variables before it. */
const typed = documents
  .flatMap((file) => codeIn(readFileSync(file, 'utf8')))
  .flatMap((code) => code.split('&&'))
  .map((command) => command.trim().replace(/^(?:[A-Z_]+=\S* )+/, ''))
  .filter((command) => command.startsWith('npm '));

test('every script that a document names is there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = typed.flatMap((command) => /^npm (?:run )?(?:--silent )?([\w:-]+)/.exec(command)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect(
    named.filter((script) => !['ci', 'install', 'pack', 'pkg'].includes(script) && !Object.hasOwn(scripts, script)),
  ).toEqual([]);
});

test('every tool that a document names is there', () => {
  const named = typed.flatMap((command) => /^npm run (?:--silent )?tools -- ([\w:-]+)/.exec(command)?.[1] ?? []);
  expect(new Set(named).size).toBeGreaterThan(4);
  expect(named.filter((tool) => !Object.hasOwn(tools, tool))).toEqual([]);
});

/** As a shell splits them. */
const wordsOf = (text: string) =>
  [...text.replace(/ > \S+$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);

const isWhole = (words: string) => !/[…<]/.test(words);
const operators = [
  ...new Set(typed.flatMap((command) => /^npm run (?:--silent )?pos -- (.+)$/.exec(command)?.[1] ?? [])),
].filter(isWhole);

test.each(operators)('pos %s is a command as it stands', async (words) => {
  let asked = 0;
  const program = createProgram({ answer: async () => void asked++ });
  for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)])
    command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  const refusal = await program.parseAsync(wordsOf(words), { from: 'user' }).then(
    () => undefined,
    (error: unknown) => (error instanceof CommanderError ? error.message : String(error)),
  );

  expect([refusal, asked]).toEqual([undefined, 1]);
});

describe('what the guides say to write', () => {
  const pages = documentsOf('docs/extend').filter((page) => readFileSync(page, 'utf8').includes('```ts'));
  const samples = pages.flatMap(samplesOf);
  const files = samples.map(({ file }) => file);
  const folders = ['activities', 'api', 'books', 'db', 'domain', 'providers', 'workflows'];

  /** The sources with the samples among them, as a reader has them. */
  const copy = mkdtempSync(join(tmpdir(), 'pos-samples-'));
  beforeAll(() => {
    for (const part of [...folders, 'tsconfig.json', 'package.json', '.oxlintrc.json', '.oxfmtrc.json'])
      cpSync(part, join(copy, part), { recursive: true });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    for (const { file, code } of samples) {
      mkdirSync(join(copy, dirname(file)), { recursive: true });
      writeFileSync(join(copy, file), code);
    }
    writeFileSync(join(copy, 'tsconfig.samples.json'), JSON.stringify({ extends: './tsconfig.json', include: files }));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** What a program of a package finds wrong there; empty: nothing. */
  const faultsBy = (program: string, ...words: string[]) =>
    new Promise<string>((done) => {
      const command = [resolve('node_modules', program), ...words];
      execFile(process.execPath, command, { cwd: copy }, (error, out, err) => done(error ? out + err : ''));
    });

  test('each page with code is run by a test', () => {
    expect(files.length).toBeGreaterThan(5);
    const tests = sourcesOf('test')
      .map(({ text }) => text)
      .join();
    expect(pages.filter((page) => !tests.includes(`'${page}'`))).toEqual([]);
  });

  test('its types are right, also those that are imported for their types alone', async () => {
    expect(await faultsBy('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.samples.json')).toBe('');
  });

  test('the linter and the formatter find nothing', async () => {
    expect(await faultsBy('oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...files)).toBe('');
    expect(await faultsBy('oxfmt/bin/oxfmt', '--check', ...files)).toBe('');
  });

  test('it imports what its layer may', async () => {
    const { forbidden } = await importsOf(folders, copy);
    expect(forbidden.filter(({ from }) => files.includes(from)).map(({ line }) => line)).toEqual([]);
  });
});
