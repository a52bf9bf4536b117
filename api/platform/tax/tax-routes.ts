import type { AnyRoute } from '../../http/route.ts';
import { getTaxClass } from './get-tax-class.ts';
import { getTaxRate } from './get-tax-rate.ts';
import { getTaxRule } from './get-tax-rule.ts';
import { listTaxClasses } from './list-tax-classes.ts';
import { listTaxRates } from './list-tax-rates.ts';
import { listTaxRules } from './list-tax-rules.ts';
import { createTaxClass, removeTaxClass, updateTaxClass } from './save-tax-class.ts';
import { createTaxRate, removeTaxRate, updateTaxRate } from './save-tax-rate.ts';
import { createTaxRule, removeTaxRule, updateTaxRule } from './save-tax-rule.ts';

/** Rates, rules and classes of taxes (platform facts 9.5). */
export const taxRoutes: readonly AnyRoute[] = [
  listTaxRates,
  getTaxRate,
  createTaxRate,
  updateTaxRate,
  removeTaxRate,
  listTaxRules,
  getTaxRule,
  createTaxRule,
  updateTaxRule,
  removeTaxRule,
  listTaxClasses,
  getTaxClass,
  createTaxClass,
  updateTaxClass,
  removeTaxClass,
];
