import { GraphQLError, parse, specifiedRules, validate, type DocumentNode } from 'graphql';
import { contentSchema } from './graphql-schema.ts';
import { measureDocument, type Measures } from './measure-document.ts';

/** Twice what the largest tool needs to read the whole schema. */
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
/** How many errors of an invalid document are reported. */
const maxErrors = 5;

/** A shop's registers send the same few documents again and again. */
const mostKept = 200;
const longestKept = 8_192;

/**
 * Documents that were parsed and validated. Documents that ask for too much are refused before validation, because
 * some of its rules take quadratic time.
 *
 * Fails with a `GraphQLError`: too long, too deep, too many fields, aliases or directives, too expensive, or
 * circular.
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
