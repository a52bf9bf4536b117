import type { Mutant } from './mutant.ts';

const sanitiser = ['test/providers/content/sanitise-html.test.ts', 'test/providers/content/sanitise-html.test.ts'];
const kept = ['test/api/content/graphql/read-document.test.ts'];
const queries = ['test/api/content/graphql/content-queries.test.ts'];

/** What everybody would see: a script in a text, another view's answer, a draft, a block that was hidden. */
export const publicMutants: readonly Mutant[] = [
  {
    id: 'P01',
    mistake: 'an attribute that runs something passes',
    patches: [
      {
        file: 'providers/content/render-text.ts',
        find: "'*': ['class',",
        replace: "'*': ['onclick', 'onerror', 'class',",
      },
    ],
    killedBy: sanitiser,
  },
  {
    id: 'P02',
    mistake: 'a link may lead anywhere',
    patches: [
      {
        file: 'providers/content/sanitise-css.ts',
        find: "return schemes.includes(found[1]?.toLowerCase() ?? '');",
        replace: 'return found.length > 0;',
      },
      {
        file: 'providers/content/render-text.ts',
        find: "'mailto', 'tel'],\n  allowed",
        replace: "'mailto', 'tel', 'javascript', 'vbscript', 'data'],\n  allowed",
      },
    ],
    killedBy: sanitiser,
  },
  {
    id: 'P03',
    mistake: 'letters that browsers skip hide a scheme, or another host',
    patches: [
      { file: 'providers/content/sanitise-css.ts', find: "url.replace(skipped, '')", replace: 'url' },
      { file: 'providers/content/sanitise-css.ts', find: 'if (/^[\\\\/]{2}/.test(read)) return false;', replace: '' },
    ],
    killedBy: sanitiser,
  },
  {
    id: 'P04',
    mistake: 'a rule holds in the whole page',
    patches: [
      {
        file: 'providers/content/sanitise-css.ts',
        find: "(next.type === 'Combinator' && (next.name === ' ' || next.name === '>'))",
        replace: "next.type === 'Combinator'",
      },
    ],
    killedBy: sanitiser,
  },
  {
    id: 'P05',
    mistake: 'a text in the styles ends the element they stand in',
    patches: [{ file: 'providers/content/sanitise-css.ts', find: ".replaceAll('</', '<\\\\/')", replace: '' }],
    killedBy: sanitiser,
  },
  {
    id: 'P06',
    mistake: 'content shows a setting that is not public',
    patches: [
      {
        file: 'db/content/read-public-settings.ts',
        find: 'join config_value c on c.path = any($paths) and',
        replace: 'join config_value c on (c.path = any($paths) or true) and',
      },
      {
        file: 'providers/content/render-text.ts',
        find: "isPublic(meaning.path) ? (settings.get(meaning.path) ?? '') : ''",
        replace: "settings.get(meaning.path) ?? (isPublic(meaning.path) ? '' : '')",
      },
    ],
    killedBy: ['test/providers/content/render-content.test.ts'],
  },
  {
    id: 'P07',
    mistake: 'a block without liveview is shown within a page',
    patches: [
      {
        file: 'db/content/read-blocks-within.ts',
        find: "case when i.liveview then v.content else '' end as content",
        replace: 'v.content as content',
      },
      {
        file: 'providers/content/gather-blocks.ts',
        find: 'return block?.liveview === true ? [block] : [];',
        replace: 'return block ? [block] : [];',
      },
    ],
    killedBy: ['test/providers/content/render-content.test.ts'],
  },
  {
    id: 'P08',
    mistake: 'a page keeps a block whose liveview went off',
    patches: [
      {
        file: 'db/content/content.ts',
        find: 'isActive: wish.isActive, liveview: wish.liveview });',
        replace: 'isActive: wish.isActive });',
      },
    ],
    killedBy: ['test/api/content/graphql/read-document.test.ts'],
    named: '^(?:canary) ',
  },
  {
    id: 'P09',
    mistake: 'every view gets the answer that the first one asked for',
    patches: [
      {
        file: 'api/content/graphql/serve-graphql.ts',
        find: `JSON.stringify([storeId, headers.accept ?? '', ...request])`,
        replace: `JSON.stringify([storeId === -1, headers.accept ?? '', ...request])`,
      },
    ],
    killedBy: queries,
  },
  {
    id: 'P10',
    mistake: 'variables are no part of what is asked',
    patches: [
      {
        file: 'api/content/graphql/serve-graphql.ts',
        find: "['POST', headers['content-type'] ?? '', body]",
        replace: "['POST', headers['content-type'] ?? '', body.split('\"variables\"')[0]]",
      },
    ],
    killedBy: ['test/api/content/graphql/content-queries.test.ts'],
    named: '^(?:content queries|serve graphql) ',
  },
  {
    id: 'P11',
    mistake: 'an answer is given again although content has changed',
    patches: [
      {
        file: 'api/content/graphql/measure-document.ts',
        find: 'revision === storedFor ? stored.get(key)',
        replace: 'revision >= 0 ? stored.get(key)',
      },
    ],
    killedBy: kept,
  },
  {
    id: 'P12',
    mistake: 'the texts of content without liveview are answered',
    patches: [
      {
        file: 'db/content/read-published.ts',
        find: "case when i.liveview then coalesce(t.html, p.html) else '' end as html",
        replace: 'coalesce(t.html, p.html) as html',
      },
    ],
    killedBy: queries,
  },
  {
    id: 'P13',
    mistake: 'fragments that double are counted once',
    patches: [
      {
        file: 'api/content/graphql/measure-document.ts',
        find: 'cost: one.cost + other.cost,',
        replace: 'cost: Math.max(one.cost, other.cost),',
      },
    ],
    killedBy: ['test/api/content/graphql/read-document.test.ts'],
    named: '^(?:read document) ',
  },
];
