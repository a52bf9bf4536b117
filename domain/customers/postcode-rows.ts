import { postcodePatterns } from '../platform/directory/postcode-patterns.ts';
import { normalizeRow, warningRow, type ValidationRow } from './validation-row.ts';

/** The longest postcode there is. A longer text is not tried in other spellings, nor matched against a pattern. */
const longest = 16;

/**
 * Checks a postcode against its country's patterns (platform facts 9.6); no rows where it has none. One that only
 * needs capitals, a blank or a dash gets the right spelling. Any other mismatch is a warning, because patterns can be
 * older than the post's rules.
 */
export function postcodeRows(postcode: string, countryId: string): ValidationRow[] {
  const patterns = Object.hasOwn(postcodePatterns, countryId) ? (postcodePatterns[countryId] ?? []) : [];
  const isGood = (text: string) =>
    text.length <= longest && patterns.some(({ pattern }) => new RegExp(pattern, 'u').test(text));
  if (postcode === '' || patterns.length === 0 || isGood(postcode)) return [];
  const better = spellings(postcode, patterns[0]?.example ?? '').find(isGood);
  if (better !== undefined) return [normalizeRow('postcode', better)];
  const examples = patterns.map(({ example }) => example).join(' or ');
  return [warningRow('postcode', 'postcode_unusual', `Postcodes of this country look like ${examples}.`)];
}

/** Possible spellings, the likeliest first: split where the country's first example is split. */
function spellings(postcode: string, example: string): string[] {
  const plain = postcode.toUpperCase().replaceAll(/[\s-]/g, '');
  if (plain.length > longest) return [];
  const parted = [' ', '-'].flatMap((mark) =>
    Array.from(
      { length: Math.max(0, plain.length - 1) },
      (_, at) => plain.slice(0, at + 1) + mark + plain.slice(at + 1),
    ),
  );
  const whole = [postcode.toUpperCase(), plain];
  return /[\s-]/.test(example) ? [...parted, ...whole] : [...whole, ...parted];
}
