import { stringify } from 'yaml';
import { readShop } from '../db/shop/read-shop.ts';
import { fileOf } from './shop/file-of.ts';
import { fine, type Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

/** With this line editors find the schema, when the file lies in the project's folder. */
const schemaLine = '# yaml-language-server: $schema=docs/reference/shop.schema.json\n';

/**
 * `shop export`: writes the shop as a file for `shop apply`. Applied at once, the file changes nothing. It has no
 * secrets and no sales. `--json` writes JSON.
 */
export async function exportShop({ em }: CommandContext): Promise<Answer> {
  const file = fileOf(await readShop(await em()));
  return fine(schemaLine + stringify(file, { lineWidth: 0 }).trimEnd(), file);
}
