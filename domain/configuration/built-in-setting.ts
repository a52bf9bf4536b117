import { settingDefaults } from './setting-defaults.ts';
import { cartSettingDefaults } from '../platform/carts/shop-choices.ts';
import { newsletterDefaults } from '../platform/newsletter/subscription.ts';

const defaults: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...cartSettingDefaults, ...newsletterDefaults, ...settingDefaults }),
);

/** What a setting is where nobody set it, be it a register's or a web cart's. Undefined: nothing of that name is read. */
export const builtInSetting = (path: string): string | undefined => defaults.get(path);

/** Every setting that something reads, in the order of the alphabet. */
export const readSettings: readonly string[] = [...defaults.keys()].toSorted();
