import { wrongCell } from '../import-kind.ts';

/** How many grams a unit has. Weights of the shop are in pounds, as its stores answer. */
const grams: Readonly<Record<string, number>> = { g: 1, kg: 1_000, oz: 28.349523125, lbs: 453.59237, lb: 453.59237 };

/** A weight of another shop in pounds, to four decimals. Refused with 400: what is no number. */
export function inPounds(text: string | undefined, unit: string): string {
  if (text === undefined || unit === 'lbs' || unit === 'lb') return text ?? '';
  const given = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  const factor = grams[unit];
  if (Number.isNaN(given) || factor === undefined) throw wrongCell('weight', text);
  return ((given * factor) / (grams['lb'] ?? 1)).toFixed(4);
}
