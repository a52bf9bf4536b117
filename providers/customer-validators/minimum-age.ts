import { completedYears } from '../../domain/customers/completed-years.ts';
import { errorRow, warningRow } from '../../domain/customers/validation-row.ts';
import type { CustomerValidator } from './customer-validator.ts';

const path = 'vendor_pos_advanced/customers/minimum_age';

/**
 * How old a customer has to be, where the shop asks for it. A register that sends no date of birth is told to ask; an edit
 * without one leaves the account's own alone.
 */
export const minimumAge: CustomerValidator = {
  key: 'minimum_age',
  label: 'Minimum age',
  field: 'dob',
  settings: [path],
  validate({ dob, customerId }, { today, setting }) {
    const least = Number(setting(path));
    if (!(least > 0)) return [];
    if (dob === '')
      return customerId > 0
        ? []
        : [warningRow('dob', 'age_unknown', `Customers are at least ${least} years old here.`)];
    if (completedYears(dob, today) >= least) return [];
    return [errorRow('dob', 'too_young', `Customers are at least ${least} years old here.`)];
  },
};
