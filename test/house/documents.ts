import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every Markdown file below a folder. */
export const documentsOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file))
    .toSorted();
