import { randomUUID } from 'node:crypto';
import { applyShop, type AppliedShop } from '../db/shop/apply-shop.ts';
import type { SecretBox } from '../db/support/secret-box.ts';
import { nameOf, showChange, type ShopRecord } from '../domain/shop.ts';
import { readShopFile } from './shop/read-shop-file.ts';
import { fine, hashPasscodes, operator, type Answer, type CommandContext } from './support.ts';

/** The secret box, opened when the first value is sealed: a command that seals nothing needs no key. */
const lateSecrets = ({ secrets }: Pick<CommandContext, 'secrets'>): SecretBox => ({
  seal: (...input) => secrets().seal(...input),
  open: (...posted) => secrets().open(...posted),
  digest: (...values) => secrets().digest(...values),
  digests: (...values) => secrets().digests(...values),
});

export interface ApplyOptions {
  dryRun?: boolean;
  prune?: boolean;
}

/**
 * `shop apply FILE [--dry-run] [--prune]`: makes the shop as a file describes it, all of it or nothing, and lists each
 * change. A repeat with the same file changes nothing. Records that the file does not name stay, except with `--prune`.
 *
 * Refused with 400 and the reason: a file with faults, a removal that orders, customers or goods do not allow.
 */
export async function applyShopFile(shop: CommandContext, file: string, options: ApplyOptions): Promise<Answer> {
  const { records, stated } = readShopFile(file);
  const applied = await applyShop(
    await shop.em(),
    { records, stated, prunes: options.prune === true },
    {
      tools: { by: operator(), box: lateSecrets(shop), unknownPasscode: await unknownPasscode(records) },
      isTrial: options.dryRun === true,
    },
  );
  return fine(textOf(applied, options), {
    applied: options.dryRun !== true,
    changes: applied.changes.map(({ verb, record, differences }) => ({
      verb,
      kind: record.kind,
      name: record.name,
      differences,
    })),
    not_in_the_file: applied.extras.map(({ kind, name }) => ({ kind, name })),
    missing_administrators: applied.missing.map(({ name }) => name),
  });
}

/** A hash takes a tenth of a second, so it is made only where somebody may be new. */
async function unknownPasscode(records: readonly ShopRecord[]): Promise<string> {
  const [hash = ''] = records.some(({ kind }) => kind === 'staff') ? await hashPasscodes([randomUUID()]) : [];
  return hash;
}

function textOf({ changes, extras, missing }: AppliedShop, { dryRun = false }: ApplyOptions): string {
  const lines = changes.map(showChange);
  const sum =
    changes.length === 0
      ? 'The shop is as the file says: nothing to change.'
      : `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} ${dryRun ? 'would be made; nothing was changed' : 'made'}.`;
  return [
    ...lines,
    ...(lines.length === 0 ? [] : ['']),
    sum,
    ...extrasIn(extras.map(nameOf)),
    ...changes.flatMap(({ verb, record }) =>
      verb === 'add' && record.kind === 'staff'
        ? [`${record.name} has no passcode yet: npm run pos -- staff reset-passcode ${record.name}`]
        : [],
    ),
    ...missing.map(
      ({ name, fields }) =>
        `Administrator ${name} is not there yet: npm run pos -- user create --username ${name} --email ${fields.email ?? ''}`,
    ),
  ].join('\n');
}

const mostShown = 10;

function extrasIn(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : '';
  return [`Not in the file, and left as it is: ${names.slice(0, mostShown).join(', ')}${more}. --prune removes it.`];
}
