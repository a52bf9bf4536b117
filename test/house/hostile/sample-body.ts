import { z } from 'zod';

/** A JSON schema, as far as it is looked at here. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** The way to a value: keys, and positions in lists. */
export type Way = readonly (string | number)[];

/** A value that is sent as JSON text inside the JSON; what is hostile gets into it as well. */
export class InnerJson {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** Every value a body may hold, by its way in. A list is one entry, what contains itself is gone into once. */
export function waysOf(body: z.ZodType): Way[] {
  const made = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline', cycles: 'ref' });
  const root: Schema = JSON.parse(JSON.stringify(made));
  const ways: Way[] = [];
  visit(root, [], { root, seen: [], ways });
  return ways;
}

interface Visit {
  root: Schema;
  seen: readonly string[];
  ways: Way[];
}

function visit(schema: Schema, way: Way, visiting: Visit): void {
  if (way.length > 0 && !visiting.ways.some((known) => known.join('.') === way.join('.'))) visiting.ways.push(way);
  const { $ref, anyOf, properties, items } = schema;
  if ($ref !== undefined) {
    const target = $ref === '#' ? visiting.root : visiting.root.$defs?.[$ref.replace('#/$defs/', '')];
    if (target && !visiting.seen.includes($ref)) visit(target, way, { ...visiting, seen: [...visiting.seen, $ref] });
  }
  for (const one of anyOf ?? []) visit(one, way, visiting);
  for (const [name, inner] of Object.entries(properties ?? {})) visit(inner, [...way, name], visiting);
  if (items) visit(items, [...way, 0], visiting);
}

/** The ways into a sample, through lists and JSON texts. */
export function waysInto(sample: unknown, way: Way = []): Way[] {
  const inner = sample instanceof InnerJson ? sample.value : sample;
  if (typeof inner !== 'object' || inner === null) return way.length > 0 ? [way] : [];
  const own = way.length > 0 ? [way] : [];
  return [...own, ...Object.entries(inner).flatMap(([key, value]) => waysInto(value, [...way, key]))];
}

const mark = '@hostile@';

/** The body as JSON text with something else at one place; objects on the way are made where there are none. */
export function bodyWith(sample: unknown, way: Way, hostile: string): string {
  return write(put(sample, way), hostile);
}

function put(sample: unknown, [key, ...rest]: Way): unknown {
  if (key === undefined) return mark;
  if (sample instanceof InnerJson) return new InnerJson(put(sample.value, [key, ...rest]));
  const held: unknown = typeof sample === 'object' && sample !== null ? Reflect.get(sample, key) : undefined;
  const value = put(held, rest);
  if (Array.isArray(sample) || typeof key === 'number')
    return Object.assign(Array.isArray(sample) ? [...sample] : [], { [key]: value });
  return { ...(sample as object), [key]: value };
}

function write(value: unknown, hostile: string): string {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof InnerJson ? write(inner.value, hostile) : inner,
  );
  return text.replace(`"${mark}"`, () => hostile);
}
