import type { AnyRoute } from '../../http/route.ts';
import { getTaxClass } from './get-tax-class.ts';
import { getTaxRate } from './get-tax-rate.ts';
import { getTaxRule } from './get-tax-rule.ts';
import { listTaxClasses } from './list-tax-classes.ts';
import { listTaxRates } from './list-tax-rates.ts';
import { listTaxRules } from './list-tax-rules.ts';

/** Rates, rules and classes of taxes (platform facts 9.5). */
export const taxRoutes: readonly AnyRoute[] = [
  listTaxRates,
  getTaxRate,
  listTaxRules,
  getTaxRule,
  listTaxClasses,
  getTaxClass,
];
