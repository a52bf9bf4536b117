import { createRequire } from 'node:module';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { notFound } from '../../domain/errors.ts';
import { markdownOf } from './docs-markdown.ts';
import { createDemoTill } from './demo-till.ts';
import type { PageFile } from './docs-page.ts';
import { createCompression, createDocsSite, encodingOf } from './docs-site.ts';
import { doorPage } from './guide/door.ts';
import { guideFile } from './guide/guide-files.ts';
import { graphiqlFile } from './graphiql-page.ts';
import { readiness } from './health.ts';
import type { ApiParts } from './api-parts.ts';
import { jsonHeaders, pageHeaders } from './security-headers.ts';
import { jsonType, setAll } from './write-answer.ts';

const manifest: unknown = createRequire(import.meta.url)('../../package.json');
const { version } = z.object({ version: z.string() }).parse(manifest);

/** In bytes; what is shorter fits into one packet as it is. */
const leastCompressed = 1_400;

/** What is outside `/rest` and needs no token: health, the API document, its page and what is written about it. Refused with 404: the rest. */
export function pages(parts: ApiParts): Middleware {
  const site = createDocsSite(parts.routes, { title: 'Point of sale', version });
  const compressed = createCompression();
  const till = createDemoTill(parts.settings.POS_DEMO);

  const answers: Record<string, () => Promise<{ status: number; body: string }>> = {
    '/health/live': async () => ({ status: 200, body: '{"status":"ok"}' }),
    '/health/ready': async () => {
      const { status, body } = await readiness(parts);
      return { status, body: JSON.stringify(body) };
    },
    '/openapi.json': async () => ({ status: 200, body: site.openApi() }),
  };

  const fileAt = async (path: string): Promise<PageFile | undefined> => {
    const text = markdownOf(path, parts.routes);
    if (text !== undefined) return { type: 'text/markdown; charset=utf-8', body: text };
    return (await guideFile(path)) ?? (await graphiqlFile(path)) ?? till(path) ?? site.page(path);
  };

  return async (ctx) => {
    const { path, headers } = ctx.state;
    setAll(ctx, headers);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && path === '/') return openDoor(ctx, parts);
    const answer = isRead && Object.hasOwn(answers, path) ? await answers[path]?.() : undefined;
    const file = isRead && !answer ? await fileAt(path) : undefined;
    if (!answer && !file) throw notFound('Request does not match any route.');
    setAll(ctx, answer ? jsonHeaders : pageHeaders);
    ctx.status = answer?.status ?? 200;
    ctx.res.setHeader('Content-Type', file?.type ?? jsonType);
    const body = answer?.body ?? file?.body ?? '';
    ctx.res.setHeader('Vary', 'Accept-Encoding');
    const encoding =
      answer?.status !== 503 && body.length > leastCompressed
        ? encodingOf(ctx.req.headers['accept-encoding'])
        : undefined;
    if (encoding !== undefined) ctx.res.setHeader('Content-Encoding', encoding);
    ctx.body = encoding === undefined ? body : await compressed(path, body, encoding);
  };
}

/** The first page says how the service is now: it is made for each reader, and kept by nobody. */
async function openDoor(ctx: Context, parts: ApiParts): Promise<void> {
  const { body } = await readiness(parts);
  setAll(ctx, pageHeaders);
  ctx.status = 200;
  ctx.res.setHeader('Content-Type', 'text/html; charset=utf-8');
  ctx.res.setHeader('Cache-Control', 'no-store');
  ctx.body = doorPage(body.missing ?? []);
}
