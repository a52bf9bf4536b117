import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * Runs the tests of the rooms that have changes: for `db/platform/tax/tax-goods.ts` those in
 * `test/db/platform/tax` and `test/api/platform/tax`. Nothing is looked up further: `npm test` runs everything.
 */
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];

function testsOf(path: string): string[] {
  if (path.endsWith('.test.ts')) return [path];
  const [layer, ...feature] = dirname(path).split(sep);
  if (layer === undefined || feature.length === 0) return [];
  if (layer === 'test') return feature[0] === 'support' ? [] : [dirname(path)];
  return [layer, 'api'].map((room) => join('test', room, ...feature));
}

const tests = [...new Set(changed.flatMap(testsOf))].filter((path) => existsSync(path));
console.log(tests.length === 0 ? 'Nothing that has tests of its own was changed.' : `Tests: ${tests.join(' ')}`);
if (tests.length > 0) execFileSync('npm', ['test', '--', ...tests], { stdio: 'inherit' });
