import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { documentsOf } from './documents.ts';

/** The README leads to the documents; it does not hold them. */
const readmeBytes = 8_192;

const layers = ['db', 'local', 'providers', 'workflows'].map((layer) => join(layer, 'README.md')).filter(existsSync);
const atTop = readdirSync('.').filter((file) => file.endsWith('.md'));
const documents = [...atTop, ...layers, 'db/migrations/README.md', ...documentsOf('docs')];

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

test('the README is short enough to be read', () => {
  expect(statSync('README.md').size).toBeLessThanOrEqual(readmeBytes);
});

/** `db/returns/settle.ts` in the inside pages: a path that a reader will look for. */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:api|activities|cli|db|domain|local|providers|test|worker|workflows)\/[\w./-]+\.ts)`/g)].map(
    ([, path = '']) => path,
  );

test.each(documents.filter((file) => file !== 'CHANGELOG.md'))('every file that %s names is there', (file) => {
  expect(pathsIn(readFileSync(file, 'utf8')).filter((path) => !existsSync(path))).toEqual([]);
});
