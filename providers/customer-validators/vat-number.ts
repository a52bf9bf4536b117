import type { Validator } from 'stdnum';
import { errorRow, normalizeRow, warningRow } from '../../domain/customers/validation-row.ts';
import type { CustomerValidator } from './customer-validator.ts';

/**
 * The VAT number's name in each country, by the two letters in front of it: the EU, the United Kingdom, Northern
 * Ireland.
 */
const kinds: Readonly<Record<string, readonly [country: string, kind: string]>> = {
  AT: ['AT', 'uid'],
  BE: ['BE', 'vat'],
  BG: ['BG', 'vat'],
  CY: ['CY', 'vat'],
  CZ: ['CZ', 'dic'],
  DE: ['DE', 'vat'],
  DK: ['DK', 'cvr'],
  EE: ['EE', 'kmkr'],
  EL: ['GR', 'vat'],
  ES: ['ES', 'nif'],
  FI: ['FI', 'alv'],
  FR: ['FR', 'tva'],
  GB: ['GB', 'vat'],
  HR: ['HR', 'oib'],
  HU: ['HU', 'anum'],
  IE: ['IE', 'vat'],
  IT: ['IT', 'iva'],
  LT: ['LT', 'pvm'],
  LU: ['LU', 'tva'],
  LV: ['LV', 'pvn'],
  MT: ['MT', 'vat'],
  NL: ['NL', 'btw'],
  PL: ['PL', 'nip'],
  PT: ['PT', 'nif'],
  RO: ['RO', 'cif'],
  SE: ['SE', 'vat'],
  SI: ['SI', 'ddv'],
  SK: ['SK', 'dph'],
  XI: ['GB', 'vat'],
};

/** Greece puts EL in front of its numbers. */
const prefixOf = (countryId: string) => (countryId === 'GR' ? 'EL' : countryId);

/**
 * Checks a VAT number of the EU and the UK by its checksum. With the country's letters a wrong digit is an error.
 * Without them it may be another tax number, so a wrong digit is a warning. Numbers of other countries are not
 * checked.
 *
 * Only the tax office knows whether the number is registered: another validator must ask it.
 */
export const vatNumber: CustomerValidator = {
  key: 'vat_number',
  label: 'VAT number of the EU and UK by checksum',
  field: 'taxvat',
  async validate({ taxvat }, { countryId }) {
    const compact = taxvat.toUpperCase().replaceAll(/[\s.\-/]/g, '');
    if (compact === '') return [];
    const named = /^([A-Z]{2})(?=[A-Z\d]*\d)/.exec(compact)?.[1];
    const prefix = named !== undefined && Object.hasOwn(kinds, named) ? named : undefined;
    const number = prefix === undefined ? compact : compact.slice(prefix.length);
    const letters = prefix ?? prefixOf(countryId);
    const rule = await ruleOf(letters);
    if (rule === undefined) return [];
    const found = rule.validate(number);
    if (found.isValid) {
      const whole = `${letters}${found.compact}`;
      return whole === taxvat ? [] : [normalizeRow('taxvat', whole)];
    }
    const message = 'This is not a VAT number of the country: a digit may be wrong.';
    return [
      prefix === undefined ? warningRow('taxvat', 'vat_unusual', message) : errorRow('taxvat', 'vat_invalid', message),
    ];
  },
};

/** Loaded for the first number: most processes never need it. */
async function ruleOf(prefix: string): Promise<Validator | undefined> {
  const kind = Object.hasOwn(kinds, prefix) ? kinds[prefix] : undefined;
  if (kind === undefined) return undefined;
  const { stdnum } = await import('stdnum');
  return stdnum[kind[0]]?.[kind[1]];
}
