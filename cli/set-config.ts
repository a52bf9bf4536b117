import { setConfigValue } from '../db/configuration/set-config-value.ts';
import { secretPaths } from '../domain/configuration/setting-defaults.ts';
import { allowedInstead } from '../domain/configuration/setting-rules.ts';
import { invalid } from '../domain/errors.ts';
import { templateProblem } from '../providers/receipts/check-template.ts';
import { fine, type Answer } from './support/answer.ts';
import { knownSettings } from '../domain/configuration/meaning-of-setting.ts';
import { findScope, type ScopeOptions } from './support/find-scope.ts';
import type { CommandContext } from './support/command-context.ts';

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
