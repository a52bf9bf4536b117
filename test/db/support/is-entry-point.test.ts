import { execFile } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { isEntryPoint } from '../../../db/support/is-entry-point.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'pos-entry-'));
const helper = new URL('../../../db/support/is-entry-point.ts', import.meta.url).href;

function programs() {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'program.js'),
    `import { isEntryPoint } from '${helper}'; console.log('program', isEntryPoint(import.meta));`,
  );
  writeFileSync(join(folder, 'other.js'), `import './program.js';`);
  symlinkSync(join(folder, 'program.js'), join(folder, 'link.js'));
}
programs();

test.each([
  [['program.js'], true],
  [['./program.js', '--dry-run'], true],
  [['program'], true],
  [['link.js'], true],
  [[join(folder, 'program.js')], true],
  [['other.js'], false],
  [['--input-type=module', '--eval', `import '${join(folder, 'program.js')}'`], false],
])('node %j starts the program: %s', async (words, isStarted) => {
  const { stdout } = await run(process.execPath, words, { cwd: folder });
  expect(stdout.trim()).toBe(`program ${isStarted}`);
});

test('a module of the tests is no entry point', () => {
  expect(isEntryPoint(import.meta)).toBe(false);
});
