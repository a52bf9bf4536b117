import { describe, expect, test } from '@jest/globals';
import { layers, sourcesOf, type Source } from './sources.ts';

const maxLines = 400;
const maxTestLines = 700;
const production = layers.filter((layer) => layer !== 'test' && layer !== 'bench');

const linesWith = (sources: readonly Source[], pattern: RegExp) =>
  sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );

const longerThan = (most: number, sources: readonly Source[]) =>
  sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 })).filter(({ lines }) => lines > most);

test.each(production)('no file of %s is longer than 400 lines', (layer) => {
  const written = sourcesOf(layer).filter(({ path }) => path !== 'client/generated.ts');
  expect(longerThan(maxLines, written)).toEqual([]);
});

test('no file of the tests is longer than 700 lines', () => {
  expect(longerThan(maxTestLines, sourcesOf('test'))).toEqual([]);
  expect(longerThan(2, [{ path: 'test/long.test.ts', text: 'a\nb\nc\n' }])).toHaveLength(1);
});

test('a file is named after what it holds: words with dashes', () => {
  const odd = sourcesOf(...layers)
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('db/migrations/'))
    .filter((path) => !/^(?:[a-z0-9-]+\/)+[a-z0-9-]+(?:\.(?:entity|repository|test|d))?\.ts$/.test(path));
  expect(odd).toEqual([]);
});

describe('words that are not said', () => {
  test('no clock and no chance where the same must come out twice', () => {
    expect(
      linesWith(sourcesOf('domain', 'workflows'), /Date\.now\(|new Date\(\)|Math\.random\(|crypto\.random/),
    ).toEqual([]);
  });

  test('no randomness that can be guessed, anywhere', () => {
    expect(linesWith(sourcesOf(...production.filter((layer) => layer !== 'local')), /Math\.random\(/)).toEqual([]);
  });

  test('no floating-point reading of money', () => {
    expect(linesWith(sourcesOf('domain', 'db', 'books', 'api', 'activities', 'workflows'), /parseFloat\(/)).toEqual([]);
  });

  test('no lock without reading again', () => {
    expect(linesWith(sourcesOf(...production), /\bem\.lock\(/)).toEqual([]);
  });

  test('no type that says nothing, no assertion that hopes', () => {
    const sources = sourcesOf(...production).filter(({ path }) => path !== 'api/http/route.ts');
    expect(
      linesWith(sources, /[:<,|(] ?any\b(?=[\s>,;)|[])|\bas any\b|@ts-ignore|@ts-expect-error/).filter(
        (line) => !/\* |\/\//.test(line),
      ),
    ).toEqual([]);
  });

  test('no operator that a caller could send, no SQL put together from values', () => {
    expect(linesWith(sourcesOf('db', 'books', 'api'), /\braw\(\s*`[^`]*\$\{/)).toEqual([]);
  });

  test('nothing is left for later without a name', () => {
    expect(linesWith(sourcesOf(...production), /\b(?:TODO|FIXME|XXX)\b/)).toEqual([]);
  });

  test('no test alone, none left out', () => {
    expect(
      linesWith(sourcesOf('test'), /\b(?:it|test|describe)\.(?:only|skip|todo)\b|\bx(?:it|test|describe)\(/),
    ).toEqual([]);
  });
});
