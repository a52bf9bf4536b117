import { isJson, mapParts, propertiesOf, requiredOf, type Json, type Written } from './json.ts';

/**
 * One shape for what is read and what is sent, as the platform documents its records. A key only in answers is
 * `readOnly`, one only in requests `writeOnly`. A key is required when both require it. When the types differ, the
 * answer's type counts: what is answered can be sent back.
 */
function sameShape(answered: Json, sent: Json): Json {
  const [read, written] = [propertiesOf(answered), propertiesOf(sent)];
  // A key that requests may have, but that is ignored and never answered, is left out.
  const names = [...new Set([...Object.keys(read), ...Object.keys(written)])].filter(
    (name) => name in read || !isEmptySchema(written[name] ?? {}),
  );
  const isLoose = answered['additionalProperties'] !== undefined;
  const properties = names.map((name) => [name, keyOf(read[name], written[name], isLoose)] as const);
  const required = requiredOf(answered).filter((name) => requiredOf(sent).includes(name));
  const { required: _answered, additionalProperties: _more, ...rest } = answered;
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** @param isLoose whether answers may have more keys than the named ones */
function keyOf(read: Json | undefined, sent: Json | undefined, isLoose: boolean): Json {
  if (read === undefined) return isLoose ? { ...sent } : { ...sent, writeOnly: true };
  if (isEmptySchema(read)) return read;
  // An ignored key may be sent back, so it is described as an answer's key.
  if (sent === undefined || isEmptySchema(sent)) return { ...read, readOnly: true };
  return withSameParts(read, sent);
}

export const isEmptySchema = ({ description: _text, ...rest }: Json) => Object.keys(rest).length === 0;

function withSameParts(read: Json, sent: Json): Json {
  const [one, other] = [read['items'], sent['items']];
  if (isJson(one) && isJson(other)) return { ...sent, ...read, items: withSameParts(one, other) };
  if (isJson(read['properties']) && isJson(sent['properties'])) return sameShape(read, sent);
  const { type: _type, enum: _values, required: _required, format: _format, ...limits } = sent;
  const isAlike = JSON.stringify(read['type']) === JSON.stringify(sent['type']);
  return isAlike ? { ...limits, ...read } : read;
}

/**
 * The named shapes of the document. A schema's `id` is its name; a request and an answer with the same id are one
 * shape. Any other object that occurs twice is named by its place: `Order` and `items` make `OrderItem`.
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

  /** By name, in alphabetical order. */
  all(): Record<string, Json> {
    for (const [name, answered] of this.#answered) this.#noteSent(answered, this.#sent.get(name));
    const names = [...new Set([...this.#answered.keys(), ...this.#sent.keys()])].toSorted();
    return Object.fromEntries(names.map((name) => [name, this.#shapeOf(name)]));
  }

  /** Notes the request's form of a named shape. */
  #noteSent(answered: unknown, sent: unknown): void {
    if (!isJson(answered) || !isJson(sent)) return;
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String(answered['$ref']))?.[1];
    if (name !== undefined && isShape(sent) && !this.#sent.has(name)) this.#sent.set(name, sent);
    this.#noteSent(answered['items'], sent['items']);
    const keys = propertiesOf(sent);
    for (const [key, inner] of Object.entries(propertiesOf(answered))) this.#noteSent(inner, keys[key]);
  }

  #shapeOf(name: string): Json {
    const [answered, sent] = [this.#answered.get(name), this.#sent.get(name)];
    return answered && sent ? sameShape(answered, sent) : (answered ?? sent ?? {});
  }
}

function add(shapes: Map<string, Json>, name: string, shape: Json): void {
  const known = shapes.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(shape)) throw new Error(`two shapes are called ${name}`);
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
  const replace = (schema: Json, path: readonly string[], isWhole: boolean): Json => {
    const text = JSON.stringify(withoutText(schema));
    const isRepeated = !isWhole && isShape(schema) && (counts.get(text) ?? 0) > 1;
    const known = isRepeated ? names.get(text) : undefined;
    if (known !== undefined) return withText(schema, known);
    const name = isRepeated ? nameFor(path, text) : undefined;
    if (name !== undefined) {
      taken.add(name);
      names.set(text, name);
    }
    const below = name === undefined ? path : [name];
    const replaced = mapParts(schema, (inner, key) => replace(inner, [...below, ...wordOf(key)], false));
    if (name === undefined) return replaced;
    made[name] = withoutText(replaced);
    return withText(schema, name);
  };
  const replaceAll = (all: Places) =>
    Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, replace(schema, [name], true)]));
  const own = replaceAll(shapes);
  const rest = replaceAll(places);
  return { shapes: { ...own, ...made }, places: rest };
}

/** A place's own texts are not part of the shape. */
const withoutText = ({ description: _text, readOnly: _read, writeOnly: _written, ...shape }: Json): Json => shape;

function withText({ description, readOnly, writeOnly }: Json, name: string): Json {
  return {
    ...referenceTo(name),
    ...(description === undefined ? {} : { description }),
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(writeOnly === undefined ? {} : { writeOnly }),
  };
}

const isShape = (schema: Json) => Object.keys(propertiesOf(schema)).length > 0;

function count(schema: Json, counts: Map<string, number>, isWhole: boolean): void {
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
