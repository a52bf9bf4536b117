import { describe, expect, test } from 'vitest';
import { getIntrospectionQuery } from 'graphql';
import { createDocuments } from '../../../../api/content/graphql/read-document.ts';

const documents = createDocuments();
const read = (text: string) => documents.validate(text, documents.read(text));
const block = 'vendorCmsBlock(identifier: "x") { html }';
const nested = (levels: number) => '{ a '.repeat(levels) + '}'.repeat(levels);
const doubling = Array.from({ length: 14 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`).join(
  ' ',
);

/** What it takes when nothing else is running: the machine may be busy with another test. */
function fastest(work: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

describe('a document that asks for too much is refused before it is looked at closely', () => {
  const words = 'The document asks for too much: ';
  test.each([
    [
      '5 000 aliases',
      `{ ${Array.from({ length: 5_000 }, (_, n) => `a${n}: ${block}`).join(' ')} }`,
      'Document contains more than 2000 tokens',
    ],
    [
      '31 aliases',
      `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      `${words}aliases at most 30`,
    ],
    ['depth 50', nested(50), `${words}depth at most 8`],
    [
      'depth by fragments',
      `{ ...f1 } ${Array.from({ length: 12 }, (_, n) => `fragment f${n} on Query { a { ...f${n + 1} } }`).join(' ')} fragment f12 on Query { a }`,
      `${words}depth at most 8`,
    ],
    ['1 MB', `{ ${'html '.repeat(200_000)} }`, 'Document contains more than 2000 tokens'],
    [
      'circular fragments',
      '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
      'A fragment of the document leads back to itself.',
    ],
    [
      'a circle nobody uses',
      `{ ${block} } fragment a on Query { ...a }`,
      'A fragment of the document leads back to itself.',
    ],
    [
      'a circle by inline fragments',
      '{ ...a } fragment a on Query { ... on Query { ...a } }',
      'A fragment of the document leads back to itself.',
    ],
    ['doubling fragments', `{ ...f0 } ${doubling} fragment f14 on Query { __typename }`, `${words}cost at most 600`],
    ['500 directives', `{ __typename ${'@skip(if: false) '.repeat(250)} }`, `${words}directives at most 20`],
    ['unknown directives', `{ __typename ${'@aa '.repeat(500)} }`, `${words}directives at most 20`],
    [
      'one field over and over',
      `{ vendorCmsBlock(identifier: "x") { ${'html '.repeat(400)} } }`,
      `${words}fields at most 300`,
    ],
    [
      'many operations',
      Array.from({ length: 21 }, (_, n) => `query q${n} { __typename }`).join(' '),
      `${words}operations and fragments at most 20`,
    ],
    [
      'many different blocks',
      `{ ${Array.from({ length: 30 }, (_, n) => `a${n}: vendorCmsPage(id: ${n}) { identifier url_key title content_heading page_layout meta_title meta_keywords html css content meta_description }`).join(' ')} }`,
      `${words}fields at most 300`,
    ],
    [
      'lists of fifty',
      `query ($x: [String!]!) { ${[1, 2, 3].map((n) => `a${n}: vendorCmsBlocks(identifiers: $x) { items { identifier title html } }`).join(' ')} }`,
      `${words}cost at most 600`,
    ],
    [
      'the schema over and over',
      `{ ${Array.from({ length: 7 }, (_, n) => `a${n}: __schema { types { name } }`).join(' ')} }`,
      `${words}cost at most 600`,
    ],
    [
      'introspection without an end',
      `{ __schema { ${'types { fields { type { '.repeat(8)} name ${'} } } '.repeat(8)} } }`,
      `${words}depth of introspection at most 16`,
    ],
  ])('%s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
    // Nothing of it is kept, so the second time costs what the first did.
    expect(fastest(() => expect(() => read(text)).toThrow())).toBeLessThan(10);
  });
});

describe('what a shop’s registers and tools ask for is read', () => {
  test.each([
    ['a block', `{ ${block} }`],
    [
      'fifty blocks by a variable',
      'query ($x: [String!]!) { vendorCmsBlocks(identifiers: $x) { items { identifier title html css } } }',
    ],
    [
      'ten pages at once',
      `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: vendorCmsPage(id: ${n}) { title html css }`).join(' ')} }`,
    ],
    ['the whole schema', getIntrospectionQuery()],
    [
      'the whole schema with all it may say',
      getIntrospectionQuery({
        descriptions: true,
        directiveIsRepeatable: true,
        inputValueDeprecation: true,
        schemaDescription: true,
        specifiedByUrl: true,
      }),
    ],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual([]);
    expect(read(text)).toEqual([]);
  });
});

test('a misspelt field is not answered with those that are there', () => {
  const [error] = read('{ vendorCmsBlok(identifier: "x") { html } }');
  expect(error?.message).toBe('Cannot query field "vendorCmsBlok" on type "Query".');
  const [other] = read('{ vendorCmsBlock(identifer: "x") { htm } }');
  expect(other?.message).not.toContain('Did you mean');
});

test('an invalid document gets five errors', () => {
  const text = `{ ${Array.from({ length: 100 }, (_, n) => `x${n}`).join(' ')} }`;
  expect(read(text)).toHaveLength(6);
  expect(fastest(() => void read(text))).toBeLessThan(20);
});
