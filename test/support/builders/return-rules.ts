import type { ReturnRules } from '../../../domain/returns/eligibility.ts';

/** No setting is set: only the quantity counts. */
export const noRules: ReturnRules = {
  periodDays: 0,
  resolutionIds: null,
  resolutionPeriods: [],
  finalSalePercent: 0,
};
