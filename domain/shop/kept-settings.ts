import { readSettings } from '../configuration/built-in-setting.ts';
import { secretPaths } from '../configuration/setting-defaults.ts';

/** A command of its own sets it from a file, because its value names data of this database. */
const logoPath = 'vendor_pos_terminal/receipt/logo';

/** The settings of a shop file: those that the code reads, without secrets and without those of another command. */
export const shopSettings: readonly string[] = readSettings.filter(
  (path) => path !== logoPath && !secretPaths.has(path),
);
