import { add, least, money, type Amount } from '../../money/amount.ts';

interface Promotion {
  ruleId: number;
  action: string;
  /** For `by_percent`, the percentage. */
  amount: Amount;
}

const all = money('100');

/** Of the promotions that held for a line, the percentages together, at most all (platform facts 11, 14). */
export function percentOff(promotions: readonly Promotion[], ruleIds: readonly number[]): Amount {
  const held = promotions.filter(({ ruleId, action }) => action === 'by_percent' && ruleIds.includes(ruleId));
  return least(all, add(...held.map(({ amount }) => amount)));
}
