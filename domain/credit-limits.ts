import { codeLabels } from './code-labels.ts';
import { parseAmount, type Amount } from './money.ts';

/**
 * Limits by customer group, as a setting has them: `2:5000,3:1000`, base currency. Undefined when the text has
 * another form.
 */
export function groupLimits(text: string): ReadonlyMap<number, Amount> | undefined {
  const limits = new Map<number, Amount>();
  for (const { code, label } of codeLabels(text)) {
    const limit = code === label ? undefined : parseAmount(label);
    if (!/^\d{1,16}$/.test(code) || limit === undefined || limit < 0) return undefined;
    limits.set(Number(code), limit);
  }
  return limits;
}
