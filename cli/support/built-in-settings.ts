import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { cartSettingDefaults } from '../../domain/platform/carts/shop-choices.ts';
import { newsletterDefaults } from '../../domain/platform/newsletter/subscription.ts';

const defaults: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...cartSettingDefaults, ...newsletterDefaults, ...settingDefaults }),
);

/** What a setting is where nobody set it, be it a register's or a web cart's. Undefined: nothing of that name is read. */
export const builtInSetting = (path: string): string | undefined => defaults.get(path);
