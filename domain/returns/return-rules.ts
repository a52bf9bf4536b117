import type { ShopSettings } from '../configuration/shop-settings.ts';
import { codeLabels } from '../code-labels.ts';

/** A store view's rules for returns; set per store by `pos config` (the spec leaves the rules to the provider). */
export interface ReturnRules {
  /** Whole days after the goods were handed over; 0: no window. */
  periodDays: number;
  /** The resolutions on offer; null: all of them. */
  resolutionIds: readonly string[] | null;
  /** Resolutions with a window of their own, longer or shorter. */
  resolutionPeriods: readonly ResolutionPeriod[];
  /** Goods sold at this discount or more cannot come back, in percent; 0: no such limit. */
  finalSalePercent: number;
}

export interface ResolutionPeriod {
  resolutionId: string;
  /** 0: no window. */
  periodDays: number;
}

export const returnRulePaths = [
  'vendor_pos_advanced/returns/period_days',
  'vendor_pos_advanced/returns/resolutions',
  'vendor_pos_advanced/returns/resolution_periods',
  'vendor_pos_advanced/returns/final_sale_percent',
] as const;

/** Reads the four settings; a text that is not a number, or a negative number, counts as 0. */
export const returnRules = (settings: ShopSettings): ReturnRules => {
  const resolutionIds = codeLabels(settings.text('vendor_pos_advanced/returns/resolutions')).map(({ code }) => code);
  return {
    periodDays: days(settings.number('vendor_pos_advanced/returns/period_days')),
    resolutionIds: resolutionIds.length === 0 ? null : resolutionIds,
    resolutionPeriods: codeLabels(settings.text('vendor_pos_advanced/returns/resolution_periods')).map(
      ({ code, label }) => ({ resolutionId: code, periodDays: days(Number(label)) }),
    ),
    finalSalePercent: Math.max(0, settings.number('vendor_pos_advanced/returns/final_sale_percent')),
  };
};

/** The rules with the spelling of the provider's own resolutions: a setting may use other capitals. */
export function asOffered(rules: ReturnRules, offered: readonly string[]): ReturnRules {
  const idOf = (typed: string) =>
    offered.find((id) => id === typed) ?? offered.find((id) => id.toLowerCase() === typed.toLowerCase()) ?? typed;
  return {
    ...rules,
    resolutionIds: rules.resolutionIds?.map(idOf) ?? null,
    resolutionPeriods: rules.resolutionPeriods.map((one) => ({ ...one, resolutionId: idOf(one.resolutionId) })),
  };
}

const days = (given: number) => (Number.isFinite(given) ? Math.max(0, Math.trunc(given)) : 0);
