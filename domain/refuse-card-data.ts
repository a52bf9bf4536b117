import { invalid } from './errors.ts';
import { cardDataIn } from './card-data.ts';

/**
 * 400 for a text with track data, a PIN block or a full card number. It must not be stored, not even sealed, and is
 * in a history only by mistake (our choice 4). For a document the field is named.
 */
export function refuseCardData(text: string | undefined): void {
  const found = text && cardDataIn(text);
  if (found) throw invalid(`The text must not be stored: ${found.what}${found.at && ` in ${found.at}`}.`);
}
