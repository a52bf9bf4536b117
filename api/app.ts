import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Middleware } from 'koa';
import compose from 'koa-compose';
import { graphql } from './content/graphql/serve-graphql-lazily.ts';
import { newsletterPage, newsletterPrefix } from './customers/newsletter-page.ts';
import type { ApiParts } from './http/api-parts.ts';
import { asyncRoutes } from './http/bulk/async-routes.ts';
import { answers } from './http/middleware/answers.ts';
import { crowd } from './http/middleware/crowd.ts';
import { body } from './http/middleware/body.ts';
import { deadline, lostMeanwhile } from './http/middleware/deadline.ts';
import { errors } from './http/middleware/errors.ts';
import { createHandle } from './http/middleware/handle.ts';
import { idempotency } from './http/middleware/idempotency.ts';
import { observe } from './http/middleware/observe.ts';
import { query } from './http/middleware/query.ts';
import { readArguments } from './http/middleware/read-arguments.ts';
import { createReadAhead } from './http/middleware/read-ahead.ts';
import { requestId, restPrefix } from './http/middleware/request-id.ts';
import { restPath } from './http/middleware/rest-path.ts';
import { createSignIn } from './http/middleware/sign-in.ts';
import { noRoute, storeView } from './http/middleware/store-view.ts';
import { reservedWords, pages } from './http/pages.ts';
import { createRouters } from './http/routers.ts';
import { createStoreScopes } from './http/store-scopes.ts';
import { ops } from './ops/serve-ops-lazily.ts';
import { accountPages, accountPrefix } from './platform/customers/account-pages.ts';
import { productPictures } from './platform/products/serve-product-pictures.ts';
import { receiptLogos, receiptPages, receiptPrefix } from './receipts/page/receipt-pages.ts';

/**
 * The HTTP side of everything: `/rest`, `/graphql`, health, the API document and its page. It does not listen.
 *
 * What is wrong with a request is found in the platform's order (platform facts 1.2): path 400, method 405, route 404,
 * ACL 401, arguments 400; only then the handler runs. Comments name their sources so: "platform facts" is
 * `docs/interface/platform.md`, "spec" `docs/interface/point-of-sale.md`, "our choice" `docs/inside/decisions/`.
 */
export function createApp(parts: ApiParts): Koa {
  const { log, routes } = parts;
  const findStore = createStoreScopes(parts.orm.em);
  const signIn = createSignIn(parts);
  const readAhead = createReadAhead(parts);
  const handle = createHandle(parts);

  const router = createRouters(
    routes,
    (route) => [
      ...lostMeanwhile(route),
      ...readAhead(route),
      storeView(findStore),
      signIn(route),
      query(),
      body(route),
      readArguments(route),
      // The last one: it calls the handler itself, and never `next`, because a transaction may run the handler twice.
      idempotency(parts, route, handle(route)),
    ],
    // Words such as `types`, which must not be read as the sku of `/V1/products/:sku`.
    { closed: { paths: reservedWords, by: noRoute(findStore) } },
  );

  const app = new Koa();
  app.silent = true;
  const secretBelow = [receiptPrefix, newsletterPrefix, accountPrefix];
  app.use(requestId());
  app.use(crowd(parts));
  app.use(observe({ log, meter: parts.meter, isLogged: parts.settings.LOG_REQUESTS, secretBelow }));
  app.use(errors(log, secretBelow));
  app.use(publicPages(parts));
  // From here on: the routes below `/rest`.
  // Around the deadline: of a request that was given up, nothing is written later.
  app.use(answers(log));
  app.use(deadline(parts.requestTimeoutMs, parts.writeTimeoutMs));
  app.use(restPath());
  app.use(router.allowedMethods());
  app.use(asyncRoutes(parts, { findStore, signIn }));
  app.use(router.routes());
  app.use(noRoute(findStore));
  return app;
}

/** For everybody, without a token: all that is not below `/rest`. */
function publicPages(parts: ApiParts): Middleware {
  const serve = compose([
    graphql(parts),
    receiptPages(parts),
    newsletterPage(parts),
    accountPages(parts),
    receiptLogos(parts),
    productPictures(parts),
    ops(parts),
    pages(parts),
  ]);
  return (ctx, next) => (ctx.state.path.startsWith(restPrefix) ? next() : serve(ctx, next));
}

/** For a server: answers a request, and never throws. */
export function handlerOf(app: Koa): (request: IncomingMessage, response: ServerResponse) => void {
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}
