import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { AnyRoute, Example } from '../route.ts';

/**
 * Calls and answers recorded in the demo shop, by the names of routes, with a file for each chapter. They are not
 * beside their routes because one order fills a page.
 */
const folder = new URL('examples/', import.meta.url);

const shownExample: z.ZodType<Example> = z.object({
  title: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
  query: z.string().exactOptional(),
  body: z.unknown().optional(),
  response: z.unknown(),
});

const file = z.record(z.string(), z.array(shownExample));

const readAll = (): [name: string, examples: Example[]][] =>
  readdirSync(folder).flatMap((chapter) =>
    Object.entries(file.parse(JSON.parse(readFileSync(new URL(chapter, folder), 'utf8')))),
  );

let recorded: ReadonlyMap<string, readonly Example[]> | undefined;

/** The examples of a route: its own, else the recorded ones. */
export function examplesOf({ name, examples }: AnyRoute): readonly Example[] {
  if (examples !== undefined) return examples;
  const known = (recorded ??= new Map(readAll()));
  return known.get(name ?? '') ?? [];
}

/** The names of all recorded routes, so that a test finds those that no route uses. */
export const recordedNames = (): readonly string[] => readAll().map(([name]) => name);
