import { readFile } from 'node:fs/promises';
import { keepReceiptLogo } from '../db/receipts/receipt-logo.repository.ts';
import { invalid } from '../domain/errors.ts';
import { drawLogo } from '../providers/platform/draw-picture.ts';
import { setConfig } from './set-config.ts';
import { fine, type Answer } from './support/answer.ts';
import type { ScopeOptions } from './support/find-scope.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `receipt logo FILE`: the logo of a shop's receipts, in one scope. The file is drawn again; a repeat changes
 * nothing.
 *
 * Refused with 404 for an unknown website or store view, 400 for a file that is missing, not a PNG, or too large.
 */
export async function setLogo(shop: CommandContext, path: string, options: ScopeOptions): Promise<Answer> {
  const file = await readFile(path).catch(() => {
    throw invalid('The file %1 cannot be read.', [path]);
  });
  const logo = await drawLogo(file);
  await keepReceiptLogo(await shop.em(), logo);
  await setConfig(shop, 'vendor_pos_terminal/receipt/logo', logo.digest, options);
  const { digest, width, height } = logo;
  return fine(`Receipts have this logo now (${width} × ${height}).`, { digest, width, height });
}
