import { settingDefaults, type SettingPath } from './setting-defaults.ts';

/** The settings as they hold in one store view: stored values over defaults. */
export interface ShopSettings {
  text(path: SettingPath): string;
  /** Anything but empty, `0` and `false` is on. */
  flag(path: SettingPath): boolean;
  /** 0 for text that is not a number. */
  integer(path: SettingPath): number;
  number(path: SettingPath): number;
}

/** How the platform reads a stored flag. */
export const isOn = (text: string) => !['', '0', 'false'].includes(text.trim());

/** Values by path, each from the narrowest scope that sets it. A stored null is an empty text, as on the platform. */
export function shopSettings(stored: ReadonlyMap<string, string | null>): ShopSettings {
  const text = (path: SettingPath) => {
    const value = stored.get(path);
    return value === undefined ? (settingDefaults[path] ?? '') : (value ?? '');
  };
  const number = (path: SettingPath) => {
    const value = Number(text(path));
    return Number.isFinite(value) ? value : 0;
  };
  return {
    text,
    number,
    flag: (path) => isOn(text(path)),
    integer: (path) => Math.trunc(number(path)),
  };
}
