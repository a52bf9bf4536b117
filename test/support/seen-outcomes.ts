import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, Next } from 'koa';
import { parseRestPath, type RestPath } from '../../api/http/middleware/rest-path.ts';
import type { AnyRoute, Outcome } from '../../api/http/route.ts';
import { createRouters } from '../../api/http/routers.ts';

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

/** Finds the route of a path, and how it is gone: at once or later. */
export function routeFinder(routes: readonly AnyRoute[]) {
  const router = createRouters(routes, () => []);
  const byPath = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return (method: string, path: string): { route: AnyRoute; way: RestPath['way'] } | undefined => {
    const [, rest] = /^(?:\/index\.php)?\/rest\/(.+)$/.exec(path) ?? [];
    const parsed = rest === undefined ? undefined : parsedPath(rest);
    const route = parsed && byPath.get(`${method} ${router.find(method, parsed.path)}`);
    return parsed && route && { route, way: parsed.way };
  };
}

/** Koa's middleware for an API under test: notes each refusal with its route. */
export async function noteOutcomes(ctx: Context, next: Next): Promise<void> {
  await next();
  const { route, way } = ctx.state;
  if (ctx.status < 400 || typeof ctx.body !== 'string' || !route) return;
  if (way === 'now') note(route, ctx.status, JSON.parse(ctx.body));
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
  const { message, parameters } = envelope;
  const code = parameters?.outcome;
  const lines = [{ status, message }, ...(typeof code === 'string' ? [{ status, message, code }] : [])]
    .map((outcome) => lineOf(route, outcome))
    .filter((line) => !noted.has(line));
  for (const line of lines) noted.add(line);
  writeSeen('txt', lines);
}

/** Adds lines to the file of this process: several run tests. Without a folder nothing is kept. */
export function writeSeen(kind: 'txt' | 'answers', lines: readonly string[]): void {
  const folder = process.env[outcomesFolder];
  if (folder === undefined || lines.length === 0) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.${kind}`), lines.map((line) => `${line}\n`).join(''));
}

/** The lines that all processes of a run wrote. */
export const readSeen = (folder: string, kind: 'txt' | 'answers'): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(`.${kind}`))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean));

/** All refusals of a run. */
export const seenOutcomes = (folder: string): ReadonlySet<string> => new Set(readSeen(folder, 'txt'));
