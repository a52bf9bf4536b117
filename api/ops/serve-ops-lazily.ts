import type { Context } from 'koa';
import type { ApiParts } from '../http/api-parts.ts';
import { opsPrefix } from './visit.ts';

type Serve = (ctx: Context, path: string) => Promise<boolean>;

/**
 * Serves the operator's page. Answers false for a path of others. Its templates, words and libraries are loaded by the
 * first who opens it: most processes never do.
 */
export function createOps(parts: ApiParts): Serve {
  let serve: Promise<Serve> | undefined;
  return async (ctx, path) => {
    if (path !== opsPrefix && !path.startsWith(`${opsPrefix}/`)) return false;
    serve ??= import('./serve-ops.ts').then(({ createOpsPages }) => createOpsPages(parts));
    return (await serve)(ctx, path);
  };
}
