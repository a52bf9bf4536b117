import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';

/** `npm run tools -- house`: how many files and lines each room has, and which files are doors without a room. */

const productRooms = ['api', 'db', 'domain', 'providers', 'workflows', 'activities', 'worker', 'books', 'cli'];
const besideRooms = ['client', 'local', 'bench'];

interface File {
  path: string;
  text: string;
  lines: number;
}

interface Row {
  name: string;
  files: readonly File[];
}

const tracked = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 100_000_000 })
    .split('\n')
    .filter((path) => path !== '');

function readSource(path: string): File[] {
  try {
    const text = readFileSync(path, 'utf8');
    return [{ path, text, lines: text.split('\n').length - 1 }];
  } catch {
    // Deleted, and not committed yet.
    return [];
  }
}

const sum = (files: readonly File[]) => files.reduce((total, { lines }) => total + lines, 0);

function median(files: readonly File[]): number {
  const sorted = files.map(({ lines }) => lines).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The files that import each file, by their relative paths. */
function usersOf(files: readonly File[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const [, target = ''] of text.matchAll(/(?:from|import\(|URL\()\s*'(\.[^']+)'/g)) {
      const used = normalize(`${dirname(path)}/${target}`);
      users.set(used, (users.get(used) ?? new Set()).add(path));
    }
  return users;
}

function rowOf({ name, files }: Row): string {
  const largest = Math.max(0, ...files.map(({ lines }) => lines));
  const cells = [files.length, sum(files), median(files), largest].map((cell) => String(cell).padStart(9));
  return `${name.padEnd(24)}${cells.join('')}`;
}

function main(): void {
  const paths = tracked();
  const all = paths.filter((path) => path.endsWith('.ts')).flatMap(readSource);
  const below = (folder: string) => all.filter(({ path }) => path.startsWith(`${folder}/`));
  const product = productRooms.flatMap(below);
  const tests = below('test');
  const users = usersOf([...product, ...besideRooms.flatMap(below)]);
  const ofOne = product.filter(({ path, lines }) => lines < 60 && users.get(path)?.size === 1);
  const rows: Row[] = [
    ...[...productRooms, ...besideRooms].map((name) => ({ name, files: below(name) })),
    { name: 'product', files: product },
    { name: 'with tools and client', files: [...product, ...besideRooms.flatMap(below)] },
    { name: 'test', files: tests },
    { name: 'files with tests', files: tests.filter(({ path }) => path.endsWith('.test.ts')) },
  ];
  console.log(`${''.padEnd(24)}${['files', 'lines', 'median', 'largest'].map((head) => head.padStart(9)).join('')}`);
  console.log(rows.map(rowOf).join('\n'));
  const tooLong = all.flatMap(({ text }) => text.split('\n').filter((line) => line.length > 120)).length;
  console.log(`\n${paths.length} files are tracked. ${tooLong} lines of TypeScript are longer than 120.`);
  console.log(`${ofOne.length} files of the product have fewer than 60 lines and one user:`);
  for (const { path, lines } of ofOne) console.log(`  ${path} (${lines}), of ${[...(users.get(path) ?? [])].join('')}`);
}

main();
