import type { Paper } from '../documents/print-in.ts';

/** Countries that use Letter paper. */
const letterCountries = ['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'VE'];

export function paperOf(locale: string): Paper {
  try {
    return letterCountries.includes(new Intl.Locale(locale.replaceAll('_', '-')).maximize().region ?? '')
      ? 'letter'
      : 'a4';
  } catch {
    return 'a4';
  }
}
