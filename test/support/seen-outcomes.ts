import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, Next } from 'koa';
import { parseRestPath, type RestPath } from '../../api/http/rest-path.ts';
import type { AnyRoute, Outcome } from '../../api/http/route.ts';
import { createRouter } from '../../api/http/router.ts';

/**
 * Refusals that tests were answered with: a line each, in a file for each process of the run. The last step of a whole
 * run compares them with the outcomes that the routes declare.
 */

/** The folder of a run's lines; set by the global set-up. */
export const outcomesFolder = 'TEST_OUTCOMES';

type Named = Pick<AnyRoute, 'method' | 'path'>;

/** The line of an outcome: by its code where it has one, else by its sentence. */
export const lineOf = (
  { method, path }: Named,
  { status, code, message }: Pick<Outcome, 'status' | 'code' | 'message'>,
) => [method, path, status, code ?? message.replaceAll(/\s+/g, ' ')].join(' ');

/** Koa's middleware for an API under test: notes each refusal with its route. */
export function noteOutcomes(routes: readonly AnyRoute[]): (ctx: Context, next: Next) => Promise<void> {
  const router = createRouter(routes.map((route) => ({ route })));
  return async (ctx, next) => {
    await next();
    if (ctx.status < 400 || typeof ctx.body !== 'string') return;
    const route = routeOf(ctx, (method, segments) => router.find(method, segments)?.entry.route);
    if (route) note(route, ctx.status, JSON.parse(ctx.body));
  };
}

function routeOf(
  { method, path }: Context,
  find: (method: string, segments: readonly string[]) => AnyRoute | undefined,
): AnyRoute | undefined {
  const [, rest] = /^(?:\/index\.php)?\/rest\/(.+)$/.exec(path) ?? [];
  const parsed = rest === undefined ? undefined : parsedPath(rest);
  return parsed?.way === 'now' ? find(method, parsed.segments) : undefined;
}

function parsedPath(path: string): RestPath | undefined {
  try {
    return parseRestPath(path);
  } catch {
    // The path itself was refused: that is no route's outcome.
    return undefined;
  }
}

const noted = new Set<string>();

function note(route: Named, status: number, envelope: { message: string; parameters?: { outcome?: unknown } }): void {
  const folder = process.env[outcomesFolder];
  if (folder === undefined) return;
  const { message, parameters } = envelope;
  const code = parameters?.outcome;
  const lines = [{ status, message }, ...(typeof code === 'string' ? [{ status, message, code }] : [])]
    .map((outcome) => lineOf(route, outcome))
    .filter((line) => !noted.has(line));
  if (lines.length === 0) return;
  for (const line of lines) noted.add(line);
  mkdirSync(folder, { recursive: true });
  // Several processes run tests: each has a file of its own.
  appendFileSync(join(folder, `${process.pid}.txt`), lines.map((line) => `${line}\n`).join(''));
}

/** All lines of a run. */
export const seenOutcomes = (folder: string): ReadonlySet<string> =>
  new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')));
