import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { documentsOf } from './documents.ts';
import { layers, sourcesOf } from './sources.ts';

/** `4.8` for `### 4.8 Returns`, and `5.4` for the fourth point of `## 5. Who may call`. */
function numbersIn(file: string): Set<string> {
  const found = new Set<string>();
  let section = '';
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, heading] = /^#{2,3} (\d+(?:\.\d+)?)\.? /.exec(line) ?? [];
    const [, point] = /^(\d+)\. /.exec(line) ?? [];
    section = heading ?? section;
    if (heading ?? point) found.add(heading ?? `${section}.${point}`);
  }
  return found;
}

const sections = {
  spec: numbersIn('docs/interface/point-of-sale.md'),
  facts: numbersIn('docs/interface/platform.md'),
};

/** Larger numbers beside a section are steps of the platform's own, such as its collectors. */
const lastSection = 14;

const citation = /\b(spec|facts) (\d+(?:\.\d+)?)((?:(?:, | and )\d+(?:\.\d+)?)*)/gi;

/** What is cited, as `spec 4.8`; several numbers after one word are several. */
const cited = [
  ...sourcesOf(...layers),
  ...documentsOf('docs').map((path) => ({ path, text: readFileSync(path, 'utf8') })),
]
  .filter(({ path }) => !path.startsWith('test/house/citations'))
  .flatMap(({ path, text }) =>
    [...text.replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ').matchAll(citation)].flatMap(
      ([, page = '', first = '', more = '']) =>
        [first, ...more.split(/, | and /).filter((one) => one !== '' && Number(one) <= lastSection)].map((number) => ({
          path,
          page: page.toLowerCase(),
          number,
        })),
    ),
  );

test('every citation of the interface and of the platform names a section that is there', () => {
  expect(cited.length).toBeGreaterThan(500);
  const lost = cited.filter(({ page, number }) => !sections[page as keyof typeof sections].has(number));
  expect(lost.map(({ path, page, number }) => `${path}: ${page} ${number}`)).toEqual([]);
});

test('every decision that is cited by its number is on the list', () => {
  const listed = readFileSync('docs/inside/decisions/open-questions.md', 'utf8');
  const numbers = new Set([...listed.matchAll(/^(\d+)\. /gm)].map(([, number]) => number));
  const lost = sourcesOf(...layers).flatMap(({ path, text }) =>
    [...text.matchAll(/\bdecision (\d+)\b/g)].filter(([, number]) => !numbers.has(number)).map(() => path),
  );
  expect(numbers.size).toBeGreaterThan(20);
  expect(lost).toEqual([]);
});

test('nothing cites a document that is not here', () => {
  const elsewhere = /\b(?:books|flows|house|stack|running|data-door)\.md\b/;
  const lost = sourcesOf(...layers).filter(({ path, text }) => elsewhere.test(text) && !path.startsWith('test/house/'));
  expect(lost.map(({ path }) => path)).toEqual([]);
});
