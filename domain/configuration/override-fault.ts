import { allowedInstead } from './setting-rules.ts';
import { resolvables, type Resolvable } from './resolvables.ts';
import { readAs, type Overrides } from './resolve-config.ts';

/** The longest text an override takes; the same limit as for a receipt's header. */
const longestText = 10_000;

const words = { text: 'a text', flag: 'true or false', integer: 'a whole number', number: 'a number' } as const;

const settings: ReadonlyMap<string, Resolvable> = new Map(Object.entries(resolvables));

/**
 * What is wrong with the settings of one terminal or location (spec 2.2), as half a sentence; undefined when they are
 * right. Null inherits. An unknown key or an unreadable value is refused, because such a setting would never apply.
 */
export function overrideFault(overrides: Overrides): string | undefined {
  for (const [key, value] of Object.entries(overrides)) {
    const setting = settings.get(key);
    if (!setting) return `"${key.slice(0, 64)}" is not a setting of config_overrides`;
    if (value === null) continue;
    const read = readAs(setting.kind, value);
    if (read === undefined) return `"${key}" of config_overrides takes ${words[setting.kind]}`;
    const instead = allowedInstead(setting.path, String(read));
    if (instead !== undefined) return `"${key}" of config_overrides takes ${instead}`;
    if (typeof read === 'string' && read.length > longestText)
      return `"${key}" of config_overrides takes at most ${longestText} characters`;
  }
  return undefined;
}
