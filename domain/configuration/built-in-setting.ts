import { settingDefaults } from './setting-defaults.ts';
import { cartSettingDefaults } from '../platform/carts/shop-choices.ts';
import { guestCartDefaults } from '../platform/carts/guest-cart-days.ts';
import { accountDefaults } from '../platform/customers/account-links.ts';
import { newsletterDefaults } from '../platform/newsletter/subscription.ts';
import { stockSettingDefaults } from '../platform/stock-rules.ts';

const defaults: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...cartSettingDefaults,
    ...guestCartDefaults,
    ...accountDefaults,
    ...newsletterDefaults,
    ...stockSettingDefaults,
    ...settingDefaults,
  }),
);

/**
 * The value of a setting that is not set, for registers and web carts. Undefined: the code reads no setting of that
 * name.
 */
export const builtInSetting = (path: string): string | undefined => defaults.get(path);

/** All settings that the code reads, in alphabetical order. */
export const readSettings: readonly string[] = [...defaults.keys()].toSorted();
