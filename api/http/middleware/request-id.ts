import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { logWith } from '../../../providers/log.ts';

/** The prefix of all routes. */
export const restPrefix = '/rest/';

/** The platform's second prefix of the same routes (platform facts 14). */
const scriptPrefix = '/index.php/rest/';

/** A caller's own request id, if it is safe and short enough for a log line. */
const requestIdPattern = /^[\w.:-]{1,64}$/;

/** What a token, or a cart's secret name, opens is for its caller alone. */
const ofOneCaller = ['Cache-Control', 'private'] as const;

/**
 * Names the request: its answer carries the id, and so does every log line on the way, also from hooks after the
 * commit.
 */
export const requestId = (): Middleware => (ctx, next) => {
  const { state, req } = ctx;
  const id = requestIdOf(req.headers['x-request-id']);
  const url = urlOf(req.url ?? '/');
  const mark = url.indexOf('?');
  state.path = mark < 0 ? url : url.slice(0, mark);
  state.queryString = mark < 0 ? '' : url.slice(mark + 1);
  state.requestId = id;
  state.headers = new Map([['X-Request-Id', id]]);
  if (state.path.startsWith(restPrefix)) state.headers.set(...ofOneCaller);
  state.heard = { incoming: req, requestId: id, setHeader: (name, value) => void state.headers.set(name, value) };
  return logWith({ requestId: id }, next);
};

const requestIdOf = (input: string | string[] | undefined) =>
  typeof input === 'string' && requestIdPattern.test(input) ? input : randomUUID();

const urlOf = (input: string) =>
  input.startsWith(scriptPrefix) ? input.slice(scriptPrefix.length - restPrefix.length) : input;
