import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleTo } from '../../worker/bundle.ts';
import { digestOfSources, sources } from '../../worker/digest-of-sources.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pos-bundle-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a start takes the bundle that an earlier one made of the same sources', async () => {
  const keep = join(folder, 'kept');
  mkdirSync(keep);
  writeFileSync(join(keep, 'of-other-sources.js'), 'old');
  const [first, second] = [join(folder, 'first.js'), join(folder, 'second.js')];
  await bundleTo(first, { keep });
  const [kept = '', ...others] = readdirSync(keep);
  expect(others).toStrictEqual([]);
  expect(readFileSync(join(keep, kept), 'utf8')).toBe(readFileSync(first, 'utf8'));

  writeFileSync(join(keep, kept), 'as kept');
  await bundleTo(second, { keep });
  expect(readFileSync(second, 'utf8')).toBe('as kept');
  expect(readdirSync(folder).toSorted()).toStrictEqual(['first.js', 'kept', 'second.js']);
});

test('where nothing can be kept, the bundle is made all the same', async () => {
  const file = join(folder, 'workflows.js');
  writeFileSync(join(folder, 'kept'), 'no folder');
  await bundleTo(file, { keep: join(folder, 'kept') });
  expect(readFileSync(file, 'utf8')).toContain('sourceMappingURL');
});

test('every source of ours in the bundle tells bundles apart', async () => {
  const file = await bundleTo(join(folder, 'workflows.js'));
  const map = /sourceMappingURL=data:application\/json;charset=utf-8;base64,(?<map>\S+)/v.exec(
    readFileSync(file, 'utf8'),
  );
  const { sources: bundled } = JSON.parse(Buffer.from(map?.groups?.['map'] ?? '', 'base64').toString()) as {
    sources: string[];
  };
  const ours = bundled
    .filter((source) => source.startsWith('/'))
    .map((source) => relative(process.cwd(), source))
    .filter((source) => source.endsWith('.ts') && !source.startsWith('node_modules/'));
  expect(ours.length).toBeGreaterThan(50);
  expect(ours.filter((source) => !sources.some((pattern) => matchesGlob(source, pattern)))).toStrictEqual([]);
});

test('one changed letter, one more file or another version of a package makes another bundle', () => {
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const seen = new Set([digestOfSources(folder)]);
  for (const [file, text] of [
    ['workflows/returns/a.ts', 'a'],
    ['workflows/returns/a.ts', 'b'],
    ['domain/b.ts', ''],
    ['package-lock.json', '{}'],
  ] as const) {
    write(file, text);
    seen.add(digestOfSources(folder));
  }
  expect(seen.size).toBe(5);
  write('test/c.ts', 'not part of it');
  expect(seen).toContain(digestOfSources(folder));
});
