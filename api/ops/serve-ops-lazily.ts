import type { Context, Middleware } from 'koa';
import type { ApiParts } from '../http/api-parts.ts';
import { opsPrefix } from './visit.ts';

type Serve = (ctx: Context, path: string) => Promise<boolean>;

/**
 * The operator's page. Its templates, words and libraries are loaded by the first who opens it: most processes never
 * do.
 */
export function ops(parts: ApiParts): Middleware {
  let serve: Promise<Serve> | undefined;
  return async (ctx, next) => {
    const { path } = ctx.state;
    if (path !== opsPrefix && !path.startsWith(`${opsPrefix}/`)) return next();
    serve ??= import('./serve-ops.ts').then(({ createOpsPages }) => createOpsPages(parts));
    if (!(await (await serve)(ctx, path))) await next();
  };
}
