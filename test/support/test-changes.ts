import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { isEntryPoint } from '../../db/support/is-entry-point.ts';

/**
 * Runs the tests of the rooms that have changes: for a file of `db/platform/sales-rules` those in
 * `test/db/platform/sales-rules` and `test/api/platform/sales-rules`. Money goes through every layer, so a feature that
 * moves it has all its rooms run. Nothing is looked up further: `npm test` runs everything.
 */
const everyLayer = ['domain', 'db', 'providers', 'activities', 'workflows', 'api'];

/** The features that move money or goods, and whose rooms notice a fault in them. */
const moneyRooms: Readonly<Record<string, readonly string[]>> = {
  credits: ['credits', 'test/workflows/credit-refunds.test.ts'],
  'credit-stores': ['credit-stores', 'credits'],
  gateways: ['gateways', 'refunds'],
  'gift-cards': ['gift-cards', 'credits'],
  layaways: ['layaways'],
  orders: ['orders', 'platform/orders', 'layaways'],
  'platform/orders': ['platform/orders', 'orders', 'refunds'],
  'platform/credit-memos': ['platform/credit-memos', 'platform/orders', 'refunds'],
  'platform/invoices': ['platform/invoices', 'platform/orders'],
  process: ['process', 'returns', 'refunds'],
  refunds: ['refunds', 'gateways', 'test/workflows/document-refunds-in-trouble.test.ts'],
  returns: ['returns', 'process'],
  'reward-points': ['reward-points', 'credits'],
  'store-credit': ['store-credit', 'credits'],
  verdicts: ['verdicts', 'refunds'],
};

/** Tests elsewhere that hold what these folders say. */
const moreRooms: Readonly<Record<string, readonly string[]>> = {
  'domain/configuration': ['test/cli/money-commands.test.ts', 'test/cli/shop', 'test/providers/gateways'],
  'docs/extend': ['test/house/samples.test.ts', 'test/house/documents.test.ts'],
};

/** The rooms of a file; some may not be there. */
function roomsOf(path: string): string[] {
  if (path.endsWith('.test.ts')) return [path];
  const [layer = '', ...folders] = dirname(path).split(sep);
  if (layer === 'test') return folders.length === 0 || folders[0] === 'support' ? [] : [dirname(path)];
  // A file at the top of a layer is a feature: `domain/layaways.ts`.
  const feature = folders.length === 0 ? [basename(path, '.ts')] : folders;
  const money = moneyRooms[feature.slice(0, 2).join('/')] ?? moneyRooms[feature[0] ?? ''];
  const own = [layer, 'api'].map((room) => join('test', room, ...feature));
  const ofMoney = (money ?? []).flatMap((room) =>
    room.startsWith('test/') ? [room] : everyLayer.map((one) => join('test', one, room)),
  );
  return [...own, ...ofMoney, ...(moreRooms[dirname(path)] ?? [])];
}

/** The tests that a change of these files asks for. A room within another one is not named twice. */
export function testsOf(changed: readonly string[]): string[] {
  const there = [...new Set(changed.flatMap(roomsOf))].filter((path) => existsSync(path));
  return there.filter((path) => !there.some((room) => path.startsWith(`${room}/`))).toSorted();
}

function main(): void {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const tests = testsOf([...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]);
  console.log(tests.length === 0 ? 'Nothing that has tests of its own was changed.' : `Tests: ${tests.join(' ')}`);
  if (tests.length > 0) execFileSync('npm', ['test', '--', ...tests], { stdio: 'inherit' });
}

if (isEntryPoint(import.meta)) main();
