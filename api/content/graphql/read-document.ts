import { GraphQLError, parse, specifiedRules, validate, type DocumentNode } from 'graphql';
import { contentSchema } from './graphql-schema.ts';
import { measureDocument, type Measures } from './measure-document.ts';

/** Twice what the largest tool asks for when it reads the whole schema. */
const maxTokens = 2_000;
const limits: Omit<Measures, 'hasCircle'> = {
  definitions: 20,
  fields: 300,
  aliases: 30,
  directives: 20,
  depth: 8,
  introspectionDepth: 16,
  cost: 600,
};
/** Who sends nonsense needs to hear only some of it. */
const maxErrors = 5;

/** The documents of a shop's registers are a few, sent over and over. */
const mostKept = 200;
const longestKept = 8_192;

/**
 * Documents, read and found good. Those that ask for too much are refused before they are looked at closely: some rules of
 * the language take time that grows with the square of what is asked.
 *
 * Fails with a `GraphQLError`: too long, too deep, too many fields, aliases or directives, too dear, or in a circle.
 */
export function createDocuments() {
  const kept = new Map<string, DocumentNode>();
  const good = new WeakSet<DocumentNode>();
  return {
    read(text: string): DocumentNode {
      const known = kept.get(text);
      if (known) return known;
      const document = parse(text, { maxTokens, noLocation: false });
      checkLimits(measureDocument(document));
      return document;
    },
    validate(text: string, document: DocumentNode): readonly GraphQLError[] {
      if (good.has(document)) return [];
      const errors = validate(contentSchema, document, specifiedRules, { maxErrors, hideSuggestions: true });
      if (errors.length > 0) return errors;
      good.add(document);
      if (text.length <= longestKept) keep(text, document);
      return errors;
    },
  };

  function keep(text: string, document: DocumentNode): void {
    kept.set(text, document);
    if (kept.size <= mostKept) return;
    for (const oldest of kept.keys()) return void kept.delete(oldest);
  }
}

function checkLimits({ hasCircle, ...measures }: Measures): void {
  if (hasCircle) throw new GraphQLError('A fragment of the document leads back to itself.');
  for (const [what, most] of Object.entries(limits)) {
    const asked: unknown = Reflect.get(measures, what);
    if (Number(asked) > most) throw new GraphQLError(`The document asks for too much: ${words[what]} at most ${most}.`);
  }
}

const words: Readonly<Record<string, string>> = {
  definitions: 'operations and fragments',
  fields: 'fields',
  aliases: 'aliases',
  directives: 'directives',
  depth: 'depth',
  introspectionDepth: 'depth of introspection',
  cost: 'cost',
};
