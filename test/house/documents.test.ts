import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { samplesOf } from '../support/page-sample.ts';
import { layers, sourcesOf } from './sources.ts';

/** The README leads to the documents; it does not hold them. */
const readmeBytes = 8_192;

const documents = globSync('**/*.md', { exclude: ['**/node_modules', '.data', 'dist', 'client/dist'] }).toSorted();

const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');

/** As a reader's browser makes it of a heading. */
const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const anchorsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

function brokenLinks(file: string): string[] {
  const links = [...withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^(?:https?:|mailto:|\/(?!docs\/))/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : path.startsWith('/') ? path.slice(1) : join(dirname(file), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
    });
}

test.each(documents)('every link of %s leads somewhere', (file) => {
  expect(brokenLinks(file)).toEqual([]);
});

test('the version of package.json is the one at the top of the CHANGELOG', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(/^## (.*?),/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]).toBe(version);
});

test('the README is short enough to be read', () => {
  expect(statSync('README.md').size).toBeLessThanOrEqual(readmeBytes);
});

/** Files that a reader will look for, with a folder or without. */
const namesIn = (text: string) => [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.ts)`/g)].map(([, name = '']) => name);

const everyFile = globSync('**/*.ts', { exclude: ['**/node_modules', '.data', 'dist', 'client/dist'] });
/** Each path, and what is left of it without its first folders. */
const there = new Set(
  everyFile.flatMap((path) => path.split('/').map((_part, at, parts) => parts.slice(at).join('/'))),
);

/** What a page makes itself: its samples, and the test of each. */
function madeBy(page: string): string[] {
  if (!page.startsWith('docs/extend/')) return [];
  const files = samplesOf(page).map(({ file }) => file);
  return files.flatMap((file) => [file, `test/${file.replace(/\.ts$/, '.test.ts')}`]);
}

test.each(documents.filter((file) => file !== 'CHANGELOG.md'))('every file that %s names is there', (file) => {
  const made = madeBy(file);
  const names = namesIn(readFileSync(file, 'utf8')).filter((name) => !made.includes(name));
  expect(names.filter((name) => !there.has(name))).toEqual([]);
});

test('every file that a comment names is there', () => {
  const comments = [...sourcesOf(...layers), ...sqlFiles()].flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => (/^\s*(?:\/?\*|\/\/|--)/.test(line) ? [{ path, names: namesIn(line) }] : [])),
  );
  expect(comments.flatMap(({ names }) => names).length).toBeGreaterThan(20);
  const gone = comments.flatMap(({ path, names }) =>
    names.filter((name) => !there.has(name)).map((name) => `${path} names ${name}`),
  );
  expect(gone).toEqual([]);
});

const sqlFiles = () => globSync('db/**/*.sql').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
