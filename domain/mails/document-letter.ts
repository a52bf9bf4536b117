import type { Amount } from '../money/amount.ts';
import type { ShownOption } from '../platform/catalog/option-figures.ts';
import { quantityToWire, type Quantity } from '../money/quantity.ts';
import type { Letter } from './letter.ts';
import { letterPenOf } from './letter-pen.ts';
import type { MailedDocument } from './mail-life.ts';

/** What a mail says about a document of an order. */
export interface DocumentToTell {
  document: MailedDocument;
  /** Of the order's store view. */
  locale: string;
  shopName: string;
  orderIncrementId: string;
  /** The document's number; for an order its own number. */
  incrementId: string;
  currencyCode: string;
  /** In the order's currency; null for a shipment, which has no amount. */
  total: Amount | null;
  lines: readonly { name: string; qty: Quantity; options: readonly ShownOption[] }[];
  parcels: readonly { title: string; number: string }[];
  /** What the shop says to the customer with it. */
  remark: string | null;
}

/** The most lines in a mail; the number of further lines is given. */
const mostLines = 50;

/** The mail about an order, an invoice, a shipment or a credit memo. It has no name, address or card data. */
export function documentLetter(facts: DocumentToTell): Letter {
  const { document, shopName, total, currencyCode, lines, parcels, remark } = facts;
  const { words, value, beside, price } = letterPenOf(facts.locale);
  const numbers = [value(facts.orderIncrementId), value(facts.incrementId)] as const;
  const said = words.documents[document];
  const row = (label: string, text: string) => beside([label, text], ': ');
  /** A text of several lines stays beneath its product. */
  const option = (one: ShownOption) => `  ${row(one.label, one.value.replaceAll('\n', '\n  '))}`;
  const rest = lines.length - mostLines;
  return {
    subject: said.subject(...numbers),
    text: [
      words.greeting,
      '',
      `${said.opening(...numbers)}:`,
      '',
      ...lines
        .slice(0, mostLines)
        .flatMap(({ name, qty, options }) => [
          `- ${beside([String(quantityToWire(qty)), name], ' × ')}`,
          ...options.map(option),
        ]),
      ...(rest > 0 ? [`- ${words.more(rest)}`] : []),
      '',
      ...(total === null ? [] : [row(words.total, price(total, currencyCode)), '']),
      ...parcels.map(({ title, number }) => row(words.tracking, beside([title, number].filter(Boolean)))),
      ...(parcels.length > 0 ? [''] : []),
      ...(remark === null || remark.trim() === '' ? [] : [remark, '']),
      shopName,
      '',
    ].join('\n'),
  };
}
