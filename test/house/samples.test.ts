import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CommanderError } from 'commander';
import { createProgram } from '../../cli/program.ts';
import { tools } from '../../local/tools.ts';
import { documentsOf } from './documents.ts';

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
  expect(new Set(named).size).toBeGreaterThan(5);
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
