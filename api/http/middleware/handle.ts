import type { Context } from 'koa';
import { keepFields } from '../../wire/fields-filter.ts';
import { EventStream } from '../../wire/event-stream.ts';
import { checkedStream, JsonStream } from '../../wire/json-stream.ts';
import { JsonText } from '../../wire/json-text.ts';
import type { ApiParts } from '../api-parts.ts';
import { createClientAddress } from '../client-address.ts';
import { headersOf } from '../heard.ts';
import type { AnyRoute } from '../route.ts';
import { routeContextOf } from '../route-context.ts';
import type { Within } from '../within.ts';

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
    async ({ state, req }, within) => {
      const { input, heard: request, now, store, caller } = state;
      const ahead = await (state.ahead ?? route.readAhead?.({ ...input, reader, header: headersOf(req) }));
      state.progress.begin();
      const call = { parts, request, input, now, store, caller, clientAddress, ahead, within };
      const answer: unknown = await route.handle(routeContextOf(call));
      if (answer instanceof EventStream) return answer;
      if (answer instanceof JsonStream) return checkAnswers ? checkedStream(answer, route.response) : answer;
      const pieces = write(route, answer, state.query['fields']);
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
export function write(route: AnyRoute, answer: unknown, fields: unknown): readonly (string | Buffer)[] {
  if (answer instanceof JsonText) return answer.pieces;
  if (answer === undefined) return ['[]'];
  if (route.isDoubleEncoded) return [JSON.stringify(JSON.stringify(answer))];
  return [JSON.stringify(typeof fields === 'string' && fields !== '' ? keepFields(answer, fields) : answer)];
}
