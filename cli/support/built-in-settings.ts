import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { cartSettingDefaults } from '../../domain/platform/carts/shop-choices.ts';
import { newsletterDefaults } from '../../domain/platform/newsletter/subscription.ts';

const defaults: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...cartSettingDefaults, ...newsletterDefaults, ...settingDefaults }),
);

/** The default of a setting, of a register or of a web cart. Undefined: there is no such setting. */
export const builtInSetting = (path: string): string | undefined => defaults.get(path);
