import { readSettings } from '../configuration/built-in-setting.ts';
import { secretPaths } from '../configuration/setting-defaults.ts';

/** Set by a command of its own, from a file: its value names what lies in this database. */
const logoPath = 'vendor_pos_terminal/receipt/logo';

/** The settings that a shop file may say: what something reads and is neither a secret nor made by another command. */
export const shopSettings: readonly string[] = readSettings.filter(
  (path) => path !== logoPath && !secretPaths.has(path),
);
