import { shown } from './loose-json.ts';
import type { ReceiptModel } from './receipt-model.ts';
import type { ReceiptFiscal } from './receipt-view.ts';

/** The keys under which the tax office's code is found. */
const codeKeys = ['qr_code_data', 'qr_code', 'qr_data'];
const mostLines = 20;
/** The longest text that a QR code of the receipt's size can hold. */
const longestCode = 1_200;

/** Fiscal law decides what must be printed, so all values are shown word for word; the code is drawn. */
export function fiscalOf({ fiscal }: ReceiptModel): ReceiptFiscal | null {
  const facts = Object.entries(fiscal).flatMap(([key, value]) => {
    const text = typeof value === 'boolean' ? value : shown(value);
    return text === null ? [] : [{ key, value: text }];
  });
  if (facts.length === 0) return null;
  const code = facts.find(({ key }) => codeKeys.includes(key))?.value;
  const isDrawn = typeof code === 'string' && code.length <= longestCode;
  return {
    code: isDrawn ? code : null,
    lines: facts.filter(({ key }) => !(isDrawn && codeKeys.includes(key))).slice(0, mostLines),
  };
}
