import type { ShopSettings } from '../configuration/shop-settings.ts';
import { codeLabels } from '../code-labels.ts';

/** What a store view says about returns; set per store by `pos config` (the spec leaves the rules to the provider). */
export interface ReturnRules {
  /** Whole days after the goods were handed over; 0: no window. */
  periodDays: number;
  /** The resolutions on offer; null: every one. */
  resolutionIds: readonly string[] | null;
  /** Resolutions with a window of their own, longer or shorter. */
  resolutionPeriods: readonly ResolutionPeriod[];
  /** Goods sold at so many percent off or more stay sold; 0: none do. */
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

/** Reads the four settings; a number that is none, or below zero, is 0. */
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

/** The rules in the words of who offers the resolutions: whoever types a setting need not mind its capitals. */
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
