import { completedYears } from '../../domain/customers/completed-years.ts';
import { errorRow, warningRow } from '../../domain/customers/validation-row.ts';
import type { CustomerValidator } from './customer-validator.ts';

const path = 'vendor_pos_advanced/customers/minimum_age';

/**
 * The minimum age of customers, where the shop sets one. Without a date of birth the register is told to ask for it;
 * an edit without one keeps the account's own.
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
