import { invalid } from '../../domain/errors.ts';
import { cardDataIn } from '../../domain/receipts/card-data.ts';

/**
 * 400 for a text that carries track data, a PIN block or a whole card number: that must not be stored, not even sealed,
 * and nobody means to write it into a history (our choice 4). In a document the field is named.
 */
export function refuseCardData(text: string | undefined): void {
  const found = text && cardDataIn(text);
  if (found) throw invalid(`The text must not be stored: ${found.what}${found.at && ` in ${found.at}`}.`);
}
