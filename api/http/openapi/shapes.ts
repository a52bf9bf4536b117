import { isDeepStrictEqual } from 'node:util';
import { mapParts, propertiesOf, requiredOf, type Json, type Written } from './json.ts';

/** What is sent of a shape that is answered as well, where both differ. */
const sentName = (name: string) => `${name}Input`;

/** The shape whose words hold for this one too. */
export const answeredName = (name: string): string => name.replace('Input', '');

export const isEmptySchema = ({ description: _text, ...rest }: Json) => Object.keys(rest).length === 0;

/**
 * A key that a request may have with any value is ignored, so it is left out; nothing says then that further keys are
 * refused.
 */
function withoutIgnored(schema: Json): Json {
  const { additionalProperties, ...made } = mapParts(schema, withoutIgnored);
  const more = additionalProperties === undefined ? {} : { additionalProperties };
  const keys = Object.entries(propertiesOf(made));
  const read = keys.filter(([key, inner]) => !isEmptySchema(inner) || requiredOf(made).includes(key));
  if (read.length === keys.length) return { ...made, ...more };
  return { ...made, properties: Object.fromEntries(read) };
}

/**
 * The named shapes of the document. A schema's `id` is its name. Of a request and an answer with the same id, the
 * answer has the name, and the request is called `…Input` where they differ: each says what it requires. Any other
 * object that occurs twice is named by its place: `Order` and `items` make `OrderItem`.
 */
export class Shapes {
  readonly #answered = new Map<string, Json>();
  readonly #sent = new Map<string, Json>();

  addAnswer({ named }: Written): void {
    for (const [name, shape] of Object.entries(named)) add(this.#answered, name, shape);
  }

  addRequest({ named }: Written): void {
    for (const [name, shape] of Object.entries(named)) add(this.#sent, name, shape);
  }

  /** By name, in alphabetical order, and what turns a request's references to them. */
  all(): { shapes: Record<string, Json>; asSent: (schema: Json) => Json } {
    const sent = new Map(
      [...this.#sent].map(([name, shape]) => [name, this.#answered.has(name) ? withoutIgnored(shape) : shape] as const),
    );
    const differing = new Set<string>();
    const asSent = (schema: Json): Json =>
      JSON.parse(
        JSON.stringify(schema).replaceAll(reference, (whole, name: string) =>
          differing.has(name) ? whole.replace(name, sentName(name)) : whole,
        ),
      );
    // What refers to a shape that differs does differ itself.
    for (let known = -1; known < differing.size;) {
      known = differing.size;
      for (const [name, shape] of sent) {
        const answered = this.#answered.get(name);
        if (answered && !isDeepStrictEqual(bare(answered), bare(asSent(shape)))) differing.add(name);
      }
    }
    const inputs = [...sent].map(
      ([name, shape]) => [differing.has(name) ? sentName(name) : name, asSent(shape)] as const,
    );
    const shapes = [...inputs, ...this.#answered].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return { shapes: Object.fromEntries(shapes), asSent };
  }
}

/** Texts do not tell two shapes apart. */
const bare = (schema: Json): Json => {
  const { examples: _shown, ...own } = withoutText(schema);
  return mapParts(own, bare);
};

const reference = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

function add(shapes: Map<string, Json>, name: string, shape: Json): void {
  const known = shapes.get(name);
  if (known && !isDeepStrictEqual(known, shape)) throw new Error(`two shapes are called ${name}`);
  shapes.set(name, shape);
}

/** Every place of the document with a schema, by the name of its owner. */
export type Places = Record<string, Json>;

const referenceTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/**
 * Gives one name to equal schemas of all places.
 *
 * @param shapes the schemas that are named already
 * @returns the places with references, and all named shapes
 */
export function nameRepeated(shapes: Places, places: Places): { shapes: Places; places: Places } {
  const counts = new Map<string, number>();
  for (const place of [...Object.values(shapes), ...Object.values(places)]) count(place, counts, true);
  const names = new Map<string, string>();
  const made: Places = {};
  const taken = new Set(Object.keys(shapes));

  const nameFor = (path: readonly string[], text: string): string => {
    const way = path.length > 1 ? path : [...path, 'Item'];
    for (let from = way.length - 2; from >= 0; from--) {
      const name = way.slice(from).join('');
      if (!taken.has(name)) return name;
    }
    throw new Error(`no name is left for ${text.slice(0, 100)}`);
  };
  const replace = (input: Json, path: readonly string[], isWhole: boolean): Json => {
    const schema = withoutNull(input);
    const text = JSON.stringify(withoutText(schema));
    const isRepeated = !isWhole && isShape(schema) && (counts.get(text) ?? 0) > 1;
    const known = isRepeated ? names.get(text) : undefined;
    if (known !== undefined) return withText(input, known);
    const name = isRepeated ? nameFor(path, text) : undefined;
    if (name !== undefined) {
      taken.add(name);
      names.set(text, name);
    }
    const below = name === undefined ? path : [name];
    const replaced = mapParts(schema, (inner, key) => replace(inner, [...below, ...wordOf(key)], false));
    if (name === undefined) return isOrNull(input) ? { ...replaced, type: input['type'] } : replaced;
    made[name] = withoutText(replaced);
    return withText(input, name);
  };
  const replaceAll = (all: Places) =>
    Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, replace(schema, [name], true)]));
  const own = replaceAll(shapes);
  const rest = replaceAll(places);
  return { shapes: { ...own, ...made }, places: rest };
}

/** A place's own texts are not part of the shape. */
const withoutText = ({ description: _text, readOnly: _read, writeOnly: _written, ...shape }: Json): Json => shape;

/** The shape of an object that may be null has a name; null stands beside it. */
const withoutNull = (schema: Json): Json => (isOrNull(schema) ? { ...schema, type: 'object' } : schema);
const isOrNull = ({ type }: Json) => Array.isArray(type) && type.includes('object') && type.includes('null');

function withText(input: Json, name: string): Json {
  const { description, readOnly, writeOnly } = input;
  return {
    ...(isOrNull(input) ? { anyOf: [referenceTo(name), { type: 'null' }] } : referenceTo(name)),
    ...(description === undefined ? {} : { description }),
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(writeOnly === undefined ? {} : { writeOnly }),
  };
}

const isShape = (schema: Json) => Object.keys(propertiesOf(schema)).length > 0;

function count(input: Json, counts: Map<string, number>, isWhole: boolean): void {
  const schema = withoutNull(input);
  if (!isWhole && isShape(schema)) {
    const text = JSON.stringify(withoutText(schema));
    const seen = counts.get(text) ?? 0;
    counts.set(text, seen + 1);
    // Its parts are counted once, with it.
    if (seen > 0) return;
  }
  mapParts(schema, (inner) => {
    count(inner, counts, false);
    return inner;
  });
}

/**
 * The singular word of a key: an order's `status_histories` gives `StatusHistory`. Keywords of JSON Schema give none.
 */
const wordOf = (key: string): string[] => (key === '' ? [] : [pascalOf(singularOf(key))]);

const singularOf = (word: string) =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch)es$/, '$1')
    .replace(/(?<![su])s$/, '');

/** `settleReturn` and `status_history` in the spelling of shape names. */
export const pascalOf = (word: string) =>
  word
    .split(/[^A-Za-z0-9]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
