import { TaxClass } from './tax-class.entity.ts';
import { TaxRate } from './tax-rate.entity.ts';
import { TaxRule } from './tax-rule.entity.ts';

/** All entities of taxes. */
export const taxEntities = [TaxClass, TaxRate, TaxRule] as const;
