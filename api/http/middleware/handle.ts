import type { Context } from 'koa';
import { PosError } from '../../../domain/errors.ts';
import { checkedStream, EventStream, jsonInPieces, JsonStream, JsonText } from '../../wire/json-stream.ts';
import type { ApiParts } from '../api-parts.ts';
import { createClientAddress } from '../client-address.ts';
import { headersOf, routeContextOf } from '../route-context.ts';
import type { AnyRoute } from '../route.ts';
import type { Within } from '../within.ts';

/** A tree of requested names; null takes the whole value. */
interface Requested {
  [name: string]: Requested | null;
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
function keepFields(answer: unknown, fields: string): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const requested = parse(fields);
  return requested ? prune(answer, requested) : [];
}

function parse(fields: string): Requested | undefined {
  if (fields.length > maxLength || !allowed.test(fields)) return undefined;
  const open: Requested[] = [Object.create(null)];
  let name = '';
  for (const sign of `${fields},`) {
    const level = open.at(-1);
    if (!level) return undefined;
    if (sign === '[') {
      if (name === '' || open.length > maxDepth) return undefined;
      const inner: Requested = Object.create(null);
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

function prune(value: unknown, requested: Requested): unknown {
  if (Array.isArray(value)) return value.map((item) => prune(item, requested));
  if (typeof value !== 'object' || value === null) return value;
  const stored: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(requested)) {
    const held: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (held === undefined) continue;
    stored[name] =
      inner === null ? held : name === 'custom_attributes' ? pruneAttributes(held, inner) : prune(held, inner);
  }
  return stored;
}

/** Custom attributes are a list; they are selected by their code. */
const pruneAttributes = (attributes: unknown, requested: Requested) =>
  Array.isArray(attributes)
    ? attributes.filter(
        (attribute: unknown) =>
          typeof attribute === 'object' &&
          attribute !== null &&
          Object.hasOwn(requested, String(Reflect.get(attribute, 'attribute_code'))),
      )
    : attributes;

/** No caller receives it: it is the status in logs and metrics, as proxies write it. */
const callerHasLeft = new PosError({ status: 499, message: 'The caller closed the connection before the answer.' });

/** Carries a request out and renders its answer. */
export type Handler = (ctx: Context, within: Within) => Promise<readonly (string | Buffer)[] | JsonStream>;

/** Makes what calls a route's own code. */
export function createHandle(parts: ApiParts): (route: AnyRoute) => Handler {
  const clientAddress = createClientAddress(parts.settings.TRUSTED_PROXIES);
  const {
    orm: { em: reader },
    checkAnswers,
  } = parts;
  return (route) =>
    async ({ state, req, res }, within) => {
      // A register that gave up has sent its request again: work on reads without a caller would delay that one.
      if (route.method === 'GET' && res.closed) throw callerHasLeft;
      const { input, heard: request, now, store, caller } = state;
      const ahead = await (state.ahead ?? route.readAhead?.({ ...input, reader, header: headersOf(req) }));
      state.progress.begin();
      const call = { parts, request, input, now, store, caller, clientAddress, ahead, within };
      const answer: unknown = await route.handle(routeContextOf(call));
      if (answer instanceof EventStream) return answer;
      if (answer instanceof JsonStream) return checkAnswers ? checkedStream(answer, route.response) : answer;
      const pieces = await write(route, answer, state.query['fields']);
      if (checkAnswers) check(route, answer, pieces.map(String).join(''));
      return pieces;
    };
}

function check(route: AnyRoute, answer: unknown, text: string): void {
  const written = answer instanceof JsonText ? text : JSON.stringify(answer ?? []);
  const sent: unknown = JSON.parse(written);
  route.response.parse(answer instanceof JsonText && route.isDoubleEncoded ? JSON.parse(String(sent)) : sent);
}

/** No answer is an empty one; a double-encoded one is a text, so `fields` does not apply (platform facts 4.3). */
export async function write(route: AnyRoute, answer: unknown, fields: unknown): Promise<readonly (string | Buffer)[]> {
  if (answer instanceof JsonText) return answer.pieces;
  if (answer === undefined) return ['[]'];
  if (route.isDoubleEncoded) return [JSON.stringify(JSON.stringify(answer))];
  return jsonInPieces(typeof fields === 'string' && fields !== '' ? keepFields(answer, fields) : answer);
}
