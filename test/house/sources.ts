import { existsSync, globSync, readFileSync } from 'node:fs';

/** Every top-level folder with code in it. */
export const layers = [
  'domain',
  'db',
  'books',
  'providers',
  'workflows',
  'activities',
  'worker',
  'api',
  'cli',
  'client',
  'local',
  'bench',
  'test',
] as const;
export type Layer = (typeof layers)[number];

export interface Source {
  path: string;
  text: string;
}

/** Every TypeScript file of these folders that is written here. */
export const sourcesOf = (...folders: readonly string[]): Source[] =>
  folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => globSync(`${folder}/**/*.ts`))
    .filter((path) => !/\/(?:node_modules|dist)\//.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
