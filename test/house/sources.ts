import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

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

export interface Import {
  /** The importing file. */
  from: string;
  /** A path inside the project, or a package's name. */
  to: string;
  isRelative: boolean;
  isTypeOnly: boolean;
}

const importLine = /^(?:import|export)(?: (type))?\s(?:[^;]*?\sfrom\s)?'([^']+)'/gm;
const dynamicImport = /\b(?:import|require)\(\s*['"`]([^'"`]+)['"`]/g;

/** What a file imports, statically and not. */
export function importsOf({ path, text }: Source): Import[] {
  const found = [
    ...[...text.matchAll(importLine)].map(([, type, target]) => ({
      target: target ?? '',
      isTypeOnly: type === 'type',
    })),
    ...[...text.matchAll(dynamicImport)].map(([, target]) => ({ target: target ?? '', isTypeOnly: false })),
  ];
  return found.map(({ target, isTypeOnly }) => {
    const isRelative = target.startsWith('.');
    return { from: path, to: isRelative ? normalize(join(dirname(path), target)) : target, isRelative, isTypeOnly };
  });
}
