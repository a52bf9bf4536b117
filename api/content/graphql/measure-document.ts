import type { EntityManager } from '@mikro-orm/postgresql';
import {
  GraphQLError,
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { PublishedContent } from '../../../db/content/read-published.ts';
import type { ContentFields } from '../../../domain/content.ts';

/** The size of a document's request, whatever its form. */
export interface Measures {
  definitions: number;
  fields: number;
  aliases: number;
  directives: number;
  /** Nesting of fields. Introspection is counted separately, because types nest deeper than content does. */
  depth: number;
  introspectionDepth: number;
  /** The cost of the most expensive operation; fragments and lists count as often as they apply. */
  cost: number;
  /** A fragment contains itself. */
  hasCircle: boolean;
}

/** Each is one statement. */
const contentCost = 10;
const introspectionCost = 100;
/** The assumed length of a list without a limit in the document. */
const longestList = 50;
const attributesOfOne = 10;
const platformQueries: readonly string[] = ['cmsPage', 'cmsBlocks', 'storeConfig'];

/** Measures a document's request, in time proportional to its length: each fragment is visited once. */
export function measureDocument(document: DocumentNode): Measures {
  const counted = { fields: 0, aliases: 0, directives: 0 };
  visit(document, {
    Field: ({ alias }) => {
      counted.fields++;
      if (alias) counted.aliases++;
    },
    Directive: () => {
      counted.directives++;
    },
  });
  const weigh = createScales(document);
  const operations = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [weigh.weightOf(one.selectionSet)] : [],
  );
  const most = (of: (weight: Weight) => number) => Math.max(0, ...operations.map(of));
  return {
    definitions: document.definitions.length,
    ...counted,
    depth: most(({ depth }) => depth),
    introspectionDepth: most(({ introspectionDepth }) => introspectionDepth),
    cost: most(({ cost }) => cost),
    hasCircle: weigh.hasCircle(),
  };
}

interface Weight {
  depth: number;
  introspectionDepth: number;
  cost: number;
}

const nothing: Weight = { depth: 0, introspectionDepth: 0, cost: 0 };

function createScales(document: DocumentNode) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const known = new Map<string, Weight>();
  const open = new Set<string>();
  let wentInCircle = false;

  const weightOf = (set: SelectionSetNode | undefined): Weight =>
    (set?.selections ?? []).map(weightOfOne).reduce(together, nothing);

  const weightOfOne = (selection: SelectionSetNode['selections'][number]): Weight => {
    if (selection.kind === Kind.FIELD) return context(selection, weightOf(selection.selectionSet));
    if (selection.kind === Kind.INLINE_FRAGMENT) return weightOf(selection.selectionSet);
    return weightOfFragment(selection.name.value);
  };

  const weightOfFragment = (name: string): Weight => {
    const seen = known.get(name);
    if (seen) return seen;
    if (open.has(name)) {
      wentInCircle = true;
      return nothing;
    }
    open.add(name);
    const weight = weightOf(fragments.get(name)?.selectionSet);
    open.delete(name);
    known.set(name, weight);
    return weight;
  };
  // Unused fragments may contain a circle too.
  for (const name of fragments.keys()) weightOfFragment(name);
  return { weightOf, hasCircle: () => wentInCircle };
}

const together = (one: Weight, other: Weight): Weight => ({
  depth: Math.max(one.depth, other.depth),
  introspectionDepth: Math.max(one.introspectionDepth, other.introspectionDepth),
  cost: one.cost + other.cost,
});

function context(field: FieldNode, within: Weight): Weight {
  const name = field.name.value;
  if (name.startsWith('__'))
    return { depth: 1, introspectionDepth: 1 + deepest(within), cost: costOf(name) + within.cost };
  return {
    depth: 1 + within.depth,
    introspectionDepth: within.introspectionDepth,
    cost: costOf(name) + timesOf(field) * within.cost,
  };
}

const deepest = ({ depth, introspectionDepth }: Weight) => Math.max(depth, introspectionDepth);

function costOf(name: string): number {
  if (name.startsWith('vendor') || platformQueries.includes(name)) return contentCost;
  return name === '__schema' || name === '__type' ? introspectionCost : 1;
}

function timesOf({ name, arguments: input = [] }: FieldNode): number {
  if (name.value.endsWith('Attribute')) return attributesOfOne;
  if (name.value !== 'vendorCmsBlocks' && name.value !== 'cmsBlocks') return 1;
  const list = input.find((one) => one.name.value === 'identifiers')?.value;
  if (list?.kind === Kind.STRING) return 1;
  return list?.kind === Kind.LIST ? list.values.length : longestList;
}

/** An answer as it was sent. */
export interface StoredAnswer {
  type: string;
  body: Buffer;
  /** For `If-None-Match`. */
  tag: string;
}

/** The most bytes of all answers in a process. */
const maxBytes = 33_554_432;
/** A single answer must not displace all others. */
const maxEntryBytes = 2_097_152;

/**
 * Cached answers to identical requests, valid while no content changes. The ones not requested for longest are
 * removed first.
 *
 * Answers with errors are never cached. The first answer of a new revision empties the cache.
 */
export function createStoredAnswers(most = maxBytes) {
  const stored = new Map<string, StoredAnswer>();
  let bytes = 0;
  let storedFor = -1;

  const drop = (key: string, answer: StoredAnswer) => {
    stored.delete(key);
    bytes -= sizeOf(key, answer);
  };
  return {
    find(key: string, revision: number): StoredAnswer | undefined {
      const answer = revision === storedFor ? stored.get(key) : undefined;
      if (!answer) return undefined;
      stored.delete(key);
      stored.set(key, answer);
      return answer;
    },
    keep(key: string, revision: number, answer: StoredAnswer): void {
      if (revision < storedFor || sizeOf(key, answer) > maxEntryBytes) return;
      if (revision > storedFor) {
        stored.clear();
        bytes = 0;
        storedFor = revision;
      }
      const before = stored.get(key);
      if (before) drop(key, before);
      stored.set(key, answer);
      bytes += sizeOf(key, answer);
      for (const [oldest, one] of stored) {
        if (bytes <= most) break;
        drop(oldest, one);
      }
    },
  };
}

/** A character of a key takes two bytes. */
const sizeOf = (key: string, { body }: StoredAnswer) => 2 * key.length + body.length;

/** The limit of one answer, enough for a hundred pages. Aliases could request one text thirty times. */
export const maxAnswerLetters = 4_194_304;

/** A page with the schema's fields; keys are the platform's (platform facts 11). */
export const pageOf = (row: PublishedContent) => ({
  ...textsOf(row),
  identifier: row.identifier,
  url_key: row.identifier,
  ...Object.fromEntries(shownFields.map((field) => [field, row.fields[field] ?? null])),
});

export const blockOf = (row: PublishedContent) => ({ ...textsOf(row), identifier: row.identifier });

export const attributeOf = (row: PublishedContent) => ({ ...textsOf(row), attribute_code: row.identifier });

/** The fields of a page; layout and theme concern only editors. */
const shownFields = [
  'content_heading',
  'page_layout',
  'meta_title',
  'meta_keywords',
  'meta_description',
] as const satisfies readonly (keyof ContentFields)[];

/** Each is counted when it is requested. */
const textsOf = ({ title, content, html, css }: PublishedContent) => ({
  title,
  content: counted(content),
  html: counted(html),
  css: counted(css),
});

const counted = (text: string) => (_given: unknown, request: ContentRequest) => {
  request.lettersLeft -= text.length;
  if (request.lettersLeft < 0) throw new GraphQLError(`The answer is longer than ${maxAnswerLetters} characters.`);
  return text;
};

/** State that the queries of one request share. */
export type ContentRequest = {
  em: EntityManager;
  storeId: number;
  /** How many characters may still be answered. */
  lettersLeft: number;
  /** The first error: then there is no answer instead of a partial one. */
  fault?: unknown;
};

/** A failed read must not look like "nothing found": the whole request fails. */
export async function noting<Found>(request: ContentRequest, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    request.fault ??= error;
    throw error;
  }
}
