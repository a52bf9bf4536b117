import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { setConfigValue } from '../db/configuration/set-config-value.ts';
import { beginRenewalOfEverything } from '../db/content/render-places.ts';
import { ConfigValue } from '../db/platform/stores/store.entity.ts';
import { keepReceiptLogo } from '../db/receipts/receipt-logo.repository.ts';
import { transact } from '../db/support/transact.ts';
import { builtInSetting, knownSettings, meaningOfSetting } from '../domain/configuration/meaning-of-setting.ts';
import { allowedInstead } from '../domain/configuration/resolvables.ts';
import { secretPaths } from '../domain/configuration/setting-defaults.ts';
import { invalid } from '../domain/errors.ts';
import { drawLogo } from '../providers/platform.ts';
import { templateProblem } from '../providers/receipts/check-template.ts';
import { getConfig } from './get-config.ts';
import type { ProgramParts } from './program-parts.ts';
import { findScope, fine, type Answer, type CommandContext, type ScopeOptions } from './support.ts';

/**
 * `config list [PREFIX]`: every setting whose path begins so, with its value for the whole shop, its default and its
 * meaning. Of a secret it shows only whether it is set.
 *
 * Refused with 400 where no setting begins so.
 */
export async function listConfig({ em: connect }: CommandContext, prefix = ''): Promise<Answer> {
  const paths = knownSettings.filter((path) => path.startsWith(prefix));
  if (paths.length === 0) throw invalid('No setting begins with "%1".', [prefix]);
  const em = await connect();
  const rows = await em.find(ConfigValue, { scope: 'default', path: { $in: paths } });
  const settings = paths.map((path) => {
    const row = rows.find((one) => one.path === path);
    const isHidden = row !== undefined && (row.isEncrypted || secretPaths.has(path));
    return {
      path,
      value: isHidden ? '(set, not shown)' : (row?.value ?? null),
      default: builtInSetting(path) ?? '',
      meaning: meaningOfSetting(path) ?? '',
    };
  });
  return fine(settings.map(shown).join('\n'), settings);
}

const shown = ({
  path,
  value,
  default: builtIn,
  meaning,
}: {
  path: string;
  value: string | null;
  default: string;
  meaning: string;
}) =>
  `${path}\n    ${meaning}\n    default ${builtIn === '' ? 'empty' : `"${builtIn}"`}${value === null ? '' : `, set to ${value === '' ? 'empty' : `"${value}"`}`}`;

/**
 * `content render`: has a worker render all published content with directives, such as after adding a store view.
 * `config set` does the same for a setting that content may show. A repeat renders again.
 */
export async function renderContentAnew({ em }: CommandContext): Promise<Answer> {
  const places = await transact(await em(), beginRenewalOfEverything);
  const text =
    places === 0
      ? 'No published content has settings, addresses or blocks.'
      : `A worker begins within two minutes to render ${places} ${places === 1 ? 'text' : 'texts'} again.`;
  return fine(text, { places });
}

/** With an invalid template receipts would silently use ours. */
const templatePath = 'vendor_pos_terminal/receipt/template';
const pathPattern = /^\w+(\/\w+){2,4}$/;

/**
 * `config set PATH VALUE` and `config unset PATH`: sets or removes one merchant setting in one scope. Provider keys
 * are sealed. A repeat changes nothing.
 *
 * Refused with 404 for an unknown website or store view, 400 for a path that nothing reads, an invalid value, such as a
 * receipt template that not every receipt can use. What an earlier release set is still unset.
 *
 * @param value null: removes the scope's own value, so that the wider scope's applies again
 */
export async function setConfig(
  { em: connect, secrets }: CommandContext,
  path: string,
  value: string | null,
  options: ScopeOptions & { unread?: boolean },
): Promise<Answer> {
  if (!pathPattern.test(path))
    throw invalid('"%1" is not the path of a setting, such as vendor_pos/general/enabled.', [path]);
  if (value !== null && options.unread !== true) refuseUnread(path);
  const allowed = value === null ? undefined : allowedInstead(path, value);
  if (allowed !== undefined) throw invalid('%1 takes %2, not "%3".', [path, allowed, value]);
  const problem = path === templatePath ? templateProblem(value ?? '') : undefined;
  if (problem !== undefined) throw invalid('This cannot be the template of receipts: %1.', [problem]);
  const em = await connect();
  const { scope, scopeId } = await findScope(em, options);
  await setConfigValue(em, secrets(), { path, value, scope, scopeId });
  const where = options.website
    ? ` for website ${options.website}`
    : options.store
      ? ` for store view ${options.store}`
      : '';
  const what = value === null ? 'unset' : secretPaths.has(path) ? 'set and sealed' : `set to "${value}"`;
  return fine(`${path} is ${what}${where}.`, { path, scope, scope_id: scopeId, set: value !== null });
}

/** The most paths that a refusal names. */
const mostNamed = 5;

/** A slip in a path would be kept and do nothing. */
function refuseUnread(path: string): void {
  if (knownSettings.includes(path)) return;
  const words = path.split(/[/_]/).filter((word) => word.length > 2);
  const alike = knownSettings
    .map((known) => ({ known, hits: words.filter((word) => known.includes(word)).length }))
    .filter(({ hits }) => hits > 1)
    .toSorted((one, other) => other.hits - one.hits);
  const named = alike.slice(0, mostNamed).map(({ known }) => known);
  throw invalid('Nothing reads "%1".%2 A provider of your own reads it? Set it with --unread.', [
    path,
    named.length === 0 ? '' : ` Perhaps it is one of: ${named.join(', ')}.`,
  ]);
}

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

/** Adds the commands for a merchant's settings and for showing them. */
export function addSettingsCommands(program: Command, { answer }: ProgramParts): void {
  const group = (name: string, summary: string) => program.command(name).description(summary);
  const onWebsite = new Option('--website <code>', 'for one website');
  const onStore = new Option('--store <code>', 'for one store view');

  group('receipt', 'receipts')
    .command('logo <file>')
    .description('the logo of receipts: a PNG of at most 500 kB and 1200 pixels each way')
    .addOption(onWebsite)
    .addOption(onStore)
    .action((file: string, options: object) => answer((shop) => setLogo(shop, file, options)));

  const config = group('config', 'merchant settings');
  config
    .command('list [prefix]')
    .description(
      'every setting, or those whose path begins so: its meaning, its default, and what is set for the whole shop',
    )
    .action((prefix: string | undefined) => answer((shop) => listConfig(shop, prefix)));
  config
    .command('get <path>')
    .description('the value, and its source')
    .addOption(onWebsite)
    .addOption(onStore)
    .action((path: string, options: object) => answer((shop) => getConfig(shop, path, options)));
  config
    .command('set <path> <value>')
    .description('set a value in one scope; config list names the paths')
    .addOption(onWebsite)
    .addOption(onStore)
    .option('--unread', 'also a path that nothing here reads')
    .action((path: string, value: string, options: object) => answer((shop) => setConfig(shop, path, value, options)));
  config
    .command('unset <path>')
    .description("take a scope's own value away")
    .addOption(onWebsite)
    .addOption(onStore)
    .action((path: string, options: object) => answer((shop) => setConfig(shop, path, null, options)));

  group('content', 'published content')
    .command('render')
    .description('render content with settings, addresses or blocks again, such as after adding a store view')
    .action(() => answer(renderContentAnew));
}
