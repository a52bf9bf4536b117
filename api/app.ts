import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Context } from 'koa';
import { PosError, type Refusal } from '../domain/errors.ts';
import { logWith } from '../providers/log.ts';
import { createNewsletterPage, newsletterPrefix } from './customers/newsletter-page.ts';
import { accountPrefix, createAccountPages } from './platform/customers/account-pages.ts';
import { createProductPictures } from './platform/products/serve-product-pictures.ts';
import { createReceiptLogos } from './receipts/page/receipt-logos.ts';
import { createReceiptPages, receiptPrefix } from './receipts/page/receipt-pages.ts';
import { graphqlPath } from './content/graphql/graphql-path.ts';
import { createGraphql } from './content/graphql/serve-graphql-lazily.ts';
import { createOps } from './ops/serve-ops-lazily.ts';
import { refusalFor } from './wire/envelope.ts';
import { JsonStream } from './wire/json-stream.ts';
import { mount } from './http/mount.ts';
import type { ApiParts } from './http/api-parts.ts';
import { jsonHeaders } from './http/security-headers.ts';
import { createPages } from './http/serve-pages.ts';
import { setAll, writeJson, writeRefusal } from './http/write-answer.ts';
import { writeStream } from './http/write-stream.ts';

const restPrefix = '/rest/';

/** The platform's second prefix of the same routes (platform facts 14). */
const scriptPrefix = '/index.php/rest/';

/** Below these prefixes a path may contain a secret of the caller: log lines show only the prefix. */
const shownPrefixes = [restPrefix, receiptPrefix, newsletterPrefix, accountPrefix];

/** What a token, or a cart's secret name, opens is for its caller alone. */
const ofOneCaller = [['Cache-Control', 'private']] as const;

/** A caller's own request id, if it is safe and short enough for a log line. */
const requestIdPattern = /^[\w.:-]{1,64}$/;

/**
 * The HTTP side of everything: `/rest`, `/graphql`, health, the API document and its page. It does not listen.
 *
 * Every answer carries its request's id; every error is answered in one envelope (platform facts 2).
 */
export function createApp(parts: ApiParts): Koa {
  const { log } = parts;
  const serveRest = createRest(parts);
  const serveGraphql = createGraphql(parts);
  const servePage = createPages(parts);
  const serveNewsletter = createNewsletterPage(parts);
  const serveAccount = createAccountPages(parts);
  const serveReceipt = createReceiptPages(parts);
  const serveLogo = createReceiptLogos(parts);
  const servePicture = createProductPictures(parts);
  const serveOps = createOps(parts);
  const tells = log.isLevelEnabled('debug');

  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(ctx.req.headers['x-request-id']);
    const { path, queryString } = splitUrl(ctx.req.url ?? '/');
    const isRest = path.startsWith(restPrefix);
    const headers = new Map([['X-Request-Id', requestId], ...(isRest ? ofOneCaller : [])]);
    const isReceipt = path.startsWith(receiptPrefix);
    const shown = shownPrefixes.find((prefix) => path.startsWith(prefix)) ?? path;
    const asked: Asked = { path, queryString, requestId, headers, shownAs: () => shown };
    try {
      // Every log line on the way, also from hooks after the commit, names the request.
      if (isRest) await logWith({ requestId }, () => serveRest(ctx, asked));
      else if (path === graphqlPath) await serveGraphql(ctx, asked);
      else if (isReceipt) await logWith({ requestId }, () => serveReceipt(ctx, asked));
      else {
        setAll(ctx, headers);
        if (!(await servedAs(ctx, path, [serveNewsletter, serveAccount, serveLogo, servePicture, serveOps])))
          await servePage(ctx, path);
      }
    } catch (thrown) {
      setAll(ctx, jsonHeaders);
      setAll(ctx, headers);
      writeRefusal(ctx, refusalFor(thrown, log, { requestId, method: ctx.method, path: asked.shownAs() }, asked.fault));
    }
    if (tells) {
      const durationMs = Math.round(performance.now() - startedAt);
      log.debug({ requestId, method: ctx.method, path: asked.shownAs(), status: ctx.status, durationMs }, 'answered');
    }
  });
  return app;
}

type Serve = (ctx: Context, path: string) => Promise<boolean>;

/** Whether one of them had what the path names. */
async function servedAs(ctx: Context, path: string, serves: readonly Serve[]): Promise<boolean> {
  for (const serve of serves) if (await serve(ctx, path)) return true;
  return false;
}

/** For a server: answers a request, and never throws. */
export function handlerOf(app: Koa): (request: IncomingMessage, response: ServerResponse) => void {
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}

interface Asked {
  path: string;
  queryString: string;
  requestId: string;
  /** Of the answer. */
  headers: Map<string, string>;
  /** The path for log lines: with its ids, without other values of the caller, such as a gift card's code. */
  shownAs: () => string;
  /** The route's own answer to a fault. */
  fault?: Refusal | undefined;
}

function createRest(parts: ApiParts): (ctx: Context, asked: Asked) => Promise<void> {
  const answer = mount(parts);
  const { log } = parts;
  return async (ctx, asked) => {
    const { path, queryString, requestId, headers } = asked;
    checkAccept(ctx.req.headers.accept);
    const { body, isPrivate, status } = await answer({
      method: ctx.method,
      path: path.slice(restPrefix.length),
      queryString,
      incoming: ctx.req,
      requestId,
      setHeader: (name, value) => void headers.set(name, value),
      found: (shown, fault) => {
        const shownAs = () => restPrefix + shown();
        asked.shownAs = shownAs;
        asked.fault = fault;
      },
    });
    if (isPrivate) headers.set('Cache-Control', 'no-store');
    if (!(body instanceof JsonStream)) return writeJson(ctx, body, headers, status);
    const failed = (error: unknown) => log.warn({ requestId, error, path: asked.shownAs() }, 'an answer broke off');
    return writeStream(ctx, body, { headers, failed });
  };
}

const requestIdOf = (given: string | string[] | undefined) =>
  typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();

function splitUrl(given: string): { path: string; queryString: string } {
  const url = given.startsWith(scriptPrefix) ? given.slice(scriptPrefix.length - restPrefix.length) : given;
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, queryString: '' } : { path: url.slice(0, mark), queryString: url.slice(mark + 1) };
}

/** Answers are always JSON (platform facts 2.1). */
function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === '' || /json|\*\/\*|application\/\*/i.test(accept)) return;
  const message = `Server cannot match any of the given Accept HTTP header media type(s) from the request: "${accept.slice(0, 200)}" with media types from the config of response renderer.`;
  throw new PosError({ status: 406, message });
}
