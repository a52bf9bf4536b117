import { afterAll, expect, test } from '@jest/globals';
import { sourcesOf } from '../sources.ts';
import { patternsOf } from './find-patterns.ts';
import { startTrial } from './longest-match.ts';

const sources = sourcesOf(
  'api',
  'db',
  'books',
  'domain',
  'providers',
  'workflows',
  'activities',
  'worker',
  'cli',
  'local',
);
const found = sources.flatMap(patternsOf);
const trial = startTrial({ attempts: 6 });
const quickTrial = startTrial({ attempts: 1 });
afterAll(() => Promise.all([trial.end(), quickTrial.end()]));

/** Put together at run time: from numbers, days and versions of ours, and from a table of ours that holds short texts. */
const putTogether = [
  'books/explain/return-events.ts',
  'domain/customers.ts',
  'local/api-changes.ts',
  'local/release.ts',
];

test('every pattern is seen, whatever stands around it', () => {
  const text = [
    "const a = /x+/g; // not /this/, it's a comment",
    "const b = 'not /this/' + `${ `/nor/ ${/y/.source}` } / 2 /`;",
    'const c = (4 / 2) / 1; /* /nor this/ */ if (a) return /[/"]z/iu.test(b);',
    'const d = list[0] / 2 / list.length;',
  ].join('\n');

  expect(patternsOf({ path: 'a.ts', text })).toEqual([
    { at: 'a.ts:1', source: 'x+', flags: 'g' },
    { at: 'a.ts:2', source: 'y', flags: '' },
    { at: 'a.ts:3', source: '[/"]z', flags: 'iu' },
  ]);
  expect(found.length).toBeGreaterThan(100);
});

test('no pattern is put together from what others send', () => {
  expect(sources.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ path }) => path)).toEqual(putTogether);
});

test.each([
  ['a run that may begin anywhere', String.raw`\\*"pin`, ''],
  ['a run at the end', '0+$', ''],
  ['two runs of the same side by side', String.raw`^\s*(?:|yes)\s*$`, ''],
  ['a run of runs', String.raw`^(\w+\s?)+$`, ''],
  ['two ways to read the same', '^(?:a|aa)+$', ''],
  ['a run behind a word', String.raw`Server \d+.*\.ts$`, ''],
  ['an end that is looked for from every start', '<!--[^]*?-->', 'g'],
])('the trial would tell %s', async (_what, source, flags) => {
  expect(await quickTrial.tooLongFor({ source, flags })).toBeDefined();
});

test('no text makes a pattern of ours read it again and again', async () => {
  const different = new Map(found.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  const slow: string[] = [];
  for (const pattern of different.values()) {
    const text = await trial.tooLongFor(pattern);
    if (text !== undefined) slow.push(`${pattern.at} /${pattern.source}/${pattern.flags} on ${text}`);
  }
  expect(slow).toEqual([]);
});
