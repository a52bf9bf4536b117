import { errorRow, normalizeRow, warningRow } from '../../domain/customers/validation-row.ts';
import type { CustomerValidator } from './customer-validator.ts';

/**
 * Checks a phone number by the numbering plan of its country. An impossible number is an error, an unknown one a
 * warning, and another spelling gets the standard form.
 */
export const phoneFormat: CustomerValidator = {
  key: 'phone_format',
  label: 'Phone number by country',
  field: 'phone',
  async validate({ phone }, { countryId }) {
    if (phone === '') return [];
    // Loaded for the first number: most processes never need the plans of all countries.
    const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min');
    const country = isSupportedCountry(countryId) ? countryId : undefined;
    const number = parsePhoneNumberFromString(phone, country ? { defaultCountry: country } : undefined);
    if (!number?.isPossible()) return [errorRow('phone', 'phone_invalid', 'This phone number cannot be dialled.')];
    if (!number.isValid())
      return [warningRow('phone', 'phone_unusual', 'No such phone number is known. Ask the customer again.')];
    // The plain form would lose an extension.
    return number.number === phone || number.ext !== undefined ? [] : [normalizeRow('phone', number.number)];
  },
};
