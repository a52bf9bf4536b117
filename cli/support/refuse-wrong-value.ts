import { invalid } from '../../domain/errors.ts';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';

const number = /^-?\d+(\.\d+)?$/;
/** How a flag may be written, beside 1 and 0. */
const flagWords = ['true', 'false'];

/** A setting whose built-in value is a number would be read as 0 with any other text in it: 400. */
export function refuseWrongValue(path: string, value: string): void {
  const builtIn = settingDefaults[path] ?? '';
  if (!number.test(builtIn) || number.test(value)) return;
  const mayBeFlag = builtIn === '0' || builtIn === '1';
  if (value === '' || (mayBeFlag && flagWords.includes(value))) return;
  throw invalid('%1 is a number, such as %2, not "%3".', [path, builtIn, value]);
}
