import { ConfigValue } from '../db/platform/stores/config-value.entity.ts';
import { builtInSetting } from '../domain/configuration/built-in-setting.ts';
import { knownSettings, meaningOfSetting } from '../domain/configuration/meaning-of-setting.ts';
import { secretPaths } from '../domain/configuration/setting-defaults.ts';
import { invalid } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `config list [PREFIX]`: every setting whose path begins so, with its value for the whole shop, its default and its meaning.
 * Of a secret it shows only whether it is set.
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
