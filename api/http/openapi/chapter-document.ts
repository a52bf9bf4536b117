import { isJson, type Json } from './json.ts';

/** The address of a chapter: `Platform: orders` is `platform-orders`. */
export const slugOf = (chapter: string) =>
  chapter
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The document of one chapter: its operations and the shared parts that they use. Small enough for a phone. */
export function chapterDocument(document: Json, chapter: string): Json {
  const paths = Object.entries(recordOf(document['paths'])).flatMap(([path, methods]) => {
    const own = Object.entries(recordOf(methods)).filter(([, operation]) => isIn(operation, chapter));
    return own.length === 0 ? [] : [[path, Object.fromEntries(own)] as const];
  });
  const webhooks = Object.entries(recordOf(document['webhooks'])).filter(([, told]) =>
    isIn(recordOf(told)['post'], chapter),
  );
  const components = recordOf(document['components']);
  const names = reached(components, Object.fromEntries([...paths, ...webhooks]));
  const kept = Object.entries(components).map(([kind, parts]) => {
    const own = Object.entries(recordOf(parts)).filter(
      ([name]) => kind === 'securitySchemes' || names.has(`#/components/${kind}/${name}`),
    );
    return [kind, Object.fromEntries(own)] as const;
  });
  const tags = Array.isArray(document['tags']) ? document['tags'] : [];
  const { webhooks: _all, ...others } = document;
  return {
    ...others,
    ...(webhooks.length === 0 ? {} : { webhooks: Object.fromEntries(webhooks) }),
    tags: tags.filter((tag: unknown) => recordOf(tag)['name'] === chapter),
    paths: Object.fromEntries(paths),
    components: Object.fromEntries(kept),
  };
}

const recordOf = (value: unknown): Json => (isJson(value) ? value : {});

function isIn(operation: unknown, chapter: string): boolean {
  const { tags } = recordOf(operation);
  return Array.isArray(tags) && tags.includes(chapter);
}

/** Every reference from a schema, also through other references. */
function reached(components: Json, from: unknown, found = new Set<string>()): ReadonlySet<string> {
  for (const [, reference = ''] of JSON.stringify(from).matchAll(/"\$ref":"([^"]+)"/g)) {
    if (found.has(reference)) continue;
    found.add(reference);
    const [, , kind = '', name = ''] = reference.split('/');
    reached(components, recordOf(components[kind])[name] ?? {}, found);
  }
  return found;
}
