import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readTool } from '../../local/tool-options.ts';

const tool = {
  command: 'npm run proof --',
  about: 'Proves something.',
  options: {
    rounds: { type: 'string', default: '5', isNumber: true, says: 'how often' },
    kind: { type: 'string', oneOf: ['all', 'moves'], value: 'KIND', says: 'which' },
    only: { type: 'string', multiple: true, says: 'those alone' },
    fresh: { type: 'boolean', default: false, says: 'begin anew' },
  },
} as const;

test('what is asked for is read, with what holds else', () => {
  expect(readTool(tool, ['--only', 'A', '--only', 'B', '--fresh'])).toEqual({
    values: { rounds: '5', only: ['A', 'B'], fresh: true },
  });
});

test('--help lists every option with what holds else', () => {
  expect(readTool(tool, ['--fresh', '--help'])).toEqual({
    exitCode: 0,
    says: [
      'Usage: npm run proof -- [options]',
      '',
      'Proves something.',
      '',
      '  --rounds N   how often (5)',
      '  --kind KIND  which',
      '  --only TEXT  those alone',
      '  --fresh      begin anew',
    ].join('\n'),
  });
});

test.each([
  [['--bogus'], "Unknown option '--bogus'"],
  [['loose'], "Unexpected argument 'loose'"],
  [['--rounds', 'abc'], '--rounds is "abc", but a number is wanted'],
  [['--rounds', ''], '--rounds is "", but a number is wanted'],
  [['--kind', 'none'], '--kind is "none", but one of all, moves is wanted'],
  [['--rounds'], "Option '--rounds <value>' argument missing"],
])('%j is one sentence', (given, sentence) => {
  const asked = readTool(tool, given);
  if ('values' in asked) throw new Error('it was taken');
  expect(asked.exitCode).toBe(1);
  expect(asked.says).toMatch(/; npm run proof -- --help lists the options\.$/);
  expect(asked.says.startsWith(sentence)).toBe(true);
});

test.each(['bench/main.ts', 'test/crash/main.ts', 'test/mutants/main.ts', 'test/simulation/main.ts', 'local/demo.ts'])(
  '%s starts nothing for --help, nor for what it does not know',
  (file) => {
    const help = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' });
    const bogus = spawnSync(process.execPath, [file, '--bogus'], { encoding: 'utf8' });

    expect(help).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^Usage: npm run /) });
    expect(bogus).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Unknown option '--bogus'; npm/),
    });
    expect(bogus.stderr.trim().split('\n')).toHaveLength(1);
  },
);
