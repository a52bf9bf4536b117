/** A tree of requested names; null takes the whole value. */
interface Wanted {
  [name: string]: Wanted | null;
}

/** Longer and deeper than any answer needs. */
const maxLength = 4_000;
const maxDepth = 12;

const allowed = /^[\w\-,[\]]*$/;

/**
 * Keeps only the named parts of an answer: `items[sku,extension_attributes[x]],total_count` (platform facts 3.6).
 *
 * Scalars pass whole. Names with other characters, or unmatched brackets, answer `[]`.
 */
export function keepFields(answer: unknown, fields: string): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const wanted = parse(fields);
  return wanted ? prune(answer, wanted) : [];
}

function parse(fields: string): Wanted | undefined {
  if (fields.length > maxLength || !allowed.test(fields)) return undefined;
  const open: Wanted[] = [Object.create(null)];
  let name = '';
  for (const sign of `${fields},`) {
    const level = open.at(-1);
    if (!level) return undefined;
    if (sign === '[') {
      if (name === '' || open.length > maxDepth) return undefined;
      const inner: Wanted = Object.create(null);
      level[name] = inner;
      open.push(inner);
      name = '';
    } else if (sign === ',' || sign === ']') {
      if (name !== '') level[name] = null;
      name = '';
      if (sign === ']') open.pop();
    } else name += sign;
  }
  return open.length === 1 ? open[0] : undefined;
}

function prune(value: unknown, wanted: Wanted): unknown {
  if (Array.isArray(value)) return value.map((item) => prune(item, wanted));
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(wanted)) {
    const held: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (held === undefined) continue;
    kept[name] =
      inner === null ? held : name === 'custom_attributes' ? pruneAttributes(held, inner) : prune(held, inner);
  }
  return kept;
}

/** Custom attributes are a list; they are selected by their code. */
const pruneAttributes = (attributes: unknown, wanted: Wanted) =>
  Array.isArray(attributes)
    ? attributes.filter(
        (attribute: unknown) =>
          typeof attribute === 'object' &&
          attribute !== null &&
          Object.hasOwn(wanted, String(Reflect.get(attribute, 'attribute_code'))),
      )
    : attributes;
