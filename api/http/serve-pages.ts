import { createRequire } from 'node:module';
import type { Context } from 'koa';
import { z } from 'zod';
import { notFound } from '../../domain/errors.ts';
import { markdownOf } from './docs-markdown.ts';
import { docsFile, type PageFile } from './docs-page.ts';
import { graphiqlFile } from './graphiql-page.ts';
import { readiness } from './health.ts';
import type { ApiParts } from './mount.ts';
import { openApiOf } from './openapi.ts';
import { jsonHeaders, pageHeaders } from './security-headers.ts';
import { jsonType, setAll } from './write-answer.ts';

const manifest: unknown = createRequire(import.meta.url)('../../package.json');
const { version } = z.object({ version: z.string() }).parse(manifest);

/**
 * The pages outside `/rest` that need no token: health, the API document, its page and the documents. Refused with
 * 404: any other path.
 */
export function createPages(parts: ApiParts): (ctx: Context, path: string) => Promise<void> {
  let document: string | undefined;
  const openApi = () => (document ??= JSON.stringify(openApiOf(parts.routes, { title: 'Point of sale', version })));

  const answers: Record<string, () => Promise<{ status: number; body: string }>> = {
    '/health/live': async () => ({ status: 200, body: '{"status":"ok"}' }),
    '/health/ready': async () => {
      const { status, body } = await readiness(parts);
      return { status, body: JSON.stringify(body) };
    },
    '/openapi.json': async () => ({ status: 200, body: openApi() }),
  };

  const fileAt = async (path: string): Promise<PageFile | undefined> => {
    const text = await markdownOf(path, parts.routes);
    if (text !== undefined) return { type: 'text/markdown; charset=utf-8', body: text };
    return (await graphiqlFile(path)) ?? (path.startsWith('/docs') ? docsFile(path) : undefined);
  };

  return async (ctx, path) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const answer = isRead && Object.hasOwn(answers, path) ? await answers[path]?.() : undefined;
    const file = isRead && !answer ? await fileAt(path) : undefined;
    if (!answer && !file) throw notFound('Request does not match any route.');
    setAll(ctx, answer ? jsonHeaders : pageHeaders);
    ctx.status = answer?.status ?? 200;
    ctx.res.setHeader('Content-Type', file?.type ?? jsonType);
    ctx.body = answer?.body ?? file?.body;
  };
}
