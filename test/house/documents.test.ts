import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readReleases, topOf } from '../../local/release.ts';
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

describe('a released version', () => {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const record = 'db/migrations/released.json';

  /** A commit after the one that released the version, which still has the version's number. */
  const isWorkedOn = (version: string, released: readonly string[], changelog: string, isReleaseCommit: boolean) =>
    released.includes(version) && topOf(changelog).isReleased && !isReleaseCommit;

  test('is followed by the next one before anything else is committed', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const isReleaseCommit =
      git('status', '--porcelain', '--', record) !== '' ||
      git('rev-parse', 'HEAD') === git('log', '-1', '--format=%H', '--', record);
    const released = readReleases().map((release) => release.version);
    expect(isWorkedOn(version, released, readFileSync('CHANGELOG.md', 'utf8'), isReleaseCommit)).toBe(false);
  });

  test.each([
    ['was released, and its changelog has the day', ['9.9.9'], '2030-01-01', false, true],
    ['was released by this very commit', ['9.9.9'], '2030-01-01', true, false],
    ['is the next one', ['9.9.8'], 'not released yet', false, false],
  ])('is recognized: %s', (_name, released, when, isReleaseCommit, expected) => {
    const changelog = `## 9.9.9, module version 1.3.0, ${when}`;
    expect(isWorkedOn('9.9.9', released, changelog, isReleaseCommit)).toBe(expected);
  });

  test('has its day in the changelog exactly if its migrations are recorded', () => {
    const { version, isReleased } = topOf(readFileSync('CHANGELOG.md', 'utf8'));
    expect(readReleases().some((release) => release.version === version)).toBe(isReleased);
  });
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
