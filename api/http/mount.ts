import { notFound, notPermitted, PosError } from '../../domain/errors.ts';
import { answerOnce } from './answer-once.ts';
import type { Within } from './within.ts';
import { callerOf, findCaller, tokenIn } from './caller.ts';
import { createClientAddress } from './client-address.ts';
import { createLaterDoor } from './bulk/accept-later.ts';
import { keepFields } from '../wire/fields-filter.ts';
import { mounted, mayCall, type Mounted } from './mounted.ts';
import { inTime, type Progress } from './in-time.ts';
import { parseQuery } from './query-string.ts';
import { checkedStream, JsonStream } from '../wire/json-stream.ts';
import { JsonText } from '../wire/json-text.ts';
import { createKnownTokens } from './known-tokens.ts';
import { limitsFor, readBody } from './read-body.ts';
import { reached } from './reached.ts';
import { parseRestPath } from './rest-path.ts';
import type { AnyRoute } from './route.ts';
import { createRouter, methods, type Match, type Router } from './router.ts';
import { notServed } from './not-served.ts';
import { createSignatureCheck } from './signed-caller.ts';
import { createStoreScopes } from './store-scopes.ts';
import { routeContextOf } from './route-context.ts';
import { headersOf } from './heard.ts';
import type { ApiParts } from './api-parts.ts';
import type { RestRequest, RestAnswer } from './rest-request.ts';

/** A register waits half a minute; an answer after twice that time is useless to it. */
export const defaultTimeoutMs = 60_000;

/**
 * Makes the single entry of all routes.
 *
 * Checks in the platform's order (platform facts 1.2): method 405, path 400, route 404, ACL 401, arguments 400; only
 * then the handler. The whole request is given up after a minute: with 503 before its handler began, else with 504.
 */
export function mount(parts: ApiParts): (request: RestRequest) => Promise<RestAnswer> {
  const router = createRouter(parts.routes.map(prepare), notServed);
  const findStore = createStoreScopes(parts.orm.em);
  const knownTokens = createKnownTokens();
  const clientAddress = createClientAddress(parts.settings.TRUSTED_PROXIES);
  const checkSignature = createSignatureCheck(parts);
  const acceptLater = createLaterDoor(parts, { findStore, checkSignature });

  const answerOne = async (request: RestRequest, progress: Progress): Promise<RestAnswer> => {
    if (!methods.some((method) => method === request.method)) throw notSupported(request, router);
    const { storeCode, segments, way } = parseRestPath(request.path);
    if (way !== 'now') return acceptLater(request, { storeCode, segments, isBulk: way === 'bulk' }, progress);
    const found = router.find(request.method, segments);
    if (!found) {
      // An unknown store view is reported first.
      if (storeCode !== undefined) await reached(findStore(storeCode));
      throw notFound('Request does not match any route.');
    }
    const { route, acl, readArguments } = found.entry;
    request.found?.(() => shownPath(route.path, found.params), route.fault);

    const now = parts.clock();
    const token = tokenIn(request.incoming.headers.authorization);
    // A flood of unknown callers must not make the database read.
    const read = knownTokens.has(route.path, token) ? readAhead(parts, request, found) : undefined;
    const store = await reached(findStore(storeCode));
    const signer = await checkSignature(request.incoming, now);
    const caller = signer ? callerOf(signer, store) : await reached(findCaller(parts.orm.em, token, { now, store }));
    const isLetIn = mayCall(caller, found.entry);
    if (route.readAhead) knownTokens.note(route.path, token, isLetIn);
    if (!isLetIn) throw notPermitted(acl);

    const query = parseQuery(request.queryString);
    const body = takesBody(request.method) ? await readBody(request.incoming, limitsFor(route, caller)) : {};
    const sources = { path: found.params, query, body };
    const input = readArguments(sources);
    let stream: JsonStream | undefined;
    const work = async (within: Within) => {
      const ahead = await (read ?? readAhead(parts, request, found));
      progress.begin();
      const around = { parts, request, input, now, store, caller, clientAddress, ahead, within };
      const answer: unknown = await route.handle(routeContextOf(around));
      if (answer instanceof JsonStream) {
        stream = parts.checkAnswers ? await checkedStream(answer, route.response) : answer;
        return [];
      }
      const pieces = write(route, answer, query['fields']);
      if (parts.checkAnswers) check(route, answer, pieces.map(String).join(''));
      return pieces;
    };
    const pieces = await answerOnce({ parts, request, route, sources, caller, store, work });
    return { body: stream ?? pieces, isPrivate: route.isPrivate === true };
  };
  return (request) => inTime((progress) => answerOne(request, progress), parts.requestTimeoutMs ?? defaultTimeoutMs);
}

/** Ids are shown, every other variable by its name. */
const shownPath = (path: string, params: Readonly<Record<string, string>>) =>
  path
    .slice(1)
    .replaceAll(/:(\w+)/g, (variable, name: string) =>
      /^(?:id|\w+Id)$/.test(name) && /^-?\d{1,10}$/.test(params[name] ?? '') ? String(params[name]) : variable,
    );

function prepare(route: AnyRoute): Mounted {
  // It starts before the body has arrived.
  if (route.readAhead && takesBody(route.method)) throw new Error(`${route.method} ${route.path} cannot read ahead`);
  return mounted(route);
}

function notSupported({ method, path, setHeader }: RestRequest, router: Router<Mounted>): PosError {
  const ofPath = router.methodsOf(parseRestPath(path).segments);
  setHeader('Allow', (ofPath.length === 0 ? methods : ofPath).join(', '));
  return new PosError({ status: 405, message: `The ${method} HTTP method is not supported.` });
}

/**
 * Starts the route's read for a token accepted here recently, without waiting for the caller's look-up. Undefined
 * where the arguments are invalid, which is reported once the caller is known. An error of the read reaches only code
 * that awaits it.
 */
function readAhead(
  { orm }: ApiParts,
  { queryString, incoming }: RestRequest,
  { entry: { route, readArguments }, params: path }: Match<Mounted>,
): Promise<unknown> | undefined {
  if (!route.readAhead) return undefined;
  try {
    const input = readArguments({ path, query: parseQuery(queryString), body: {} });
    const read = route.readAhead({ ...input, reader: orm.em, header: headersOf(incoming) });
    read.catch(() => undefined);
    return read;
  } catch {
    return undefined;
  }
}

const takesBody = (method: string) => method === 'POST' || method === 'PUT';

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
