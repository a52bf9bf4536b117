import { enforcementPath } from './enforcement.ts';
import { resolvables, type Kind, type Resolvable } from './resolvables.ts';
import type { ShopSettings } from './shop-settings.ts';

type Value = string | number | boolean | null;

/** Settings of one register or one location, by the keys of the resolved config; null and absent inherit. */
export type Overrides = Readonly<Record<string, unknown>>;

/**
 * The settings of one register. Its own value wins over its location's, and that over the shop's; a locked setting is
 * always the shop's (spec 2.2, 3.6). `use_msi` is always false where the shop has no multi-source inventory (spec
 * 2.1).
 */
export function resolveConfig(given: Resolving & { hasMsi: boolean }): Record<string, Value> {
  const resolved = resolvableKeys.map((key) => [key, resolveKey(key, given)] as const);
  const flat: Record<string, Value> = Object.fromEntries(resolved);
  return given.hasMsi ? flat : { ...flat, use_msi: false };
}

/** Whose values a setting is resolved from. */
export interface Resolving {
  settings: ShopSettings;
  location: Overrides;
  terminal: Overrides;
}

export type ResolvableKey = keyof typeof resolvables;

const resolvableKeys = Object.keys(resolvables) as ResolvableKey[];

/** One key of the resolved config, for callers that need only a few. */
export function resolveKey(key: ResolvableKey, { settings, location, terminal }: Resolving): Value {
  const { kind, path, lock }: Resolvable = resolvables[key];
  const isLocked = lock !== undefined && settings.flag(enforcementPath(lock));
  const own = isLocked ? undefined : (readAs(kind, terminal[key]) ?? readAs(kind, location[key]));
  return own ?? settings[kind](path);
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** An override of the kind that the key takes; undefined when it inherits or cannot be read. */
export function readAs(kind: Kind, value: unknown): Value | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  if (kind === 'text') return typeof value === 'boolean' ? undefined : String(value);
  const word = String(value).trim();
  if (kind === 'flag') return flags.get(word);
  const number = word === '' ? Number.NaN : Number(word);
  if (!Number.isFinite(number)) return undefined;
  return kind === 'integer' ? Math.trunc(number) : number;
}
