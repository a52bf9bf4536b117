import type { Amount } from '../money/amount.ts';
import { priceText } from '../money/price-text.ts';
import type { ShownOption } from '../platform/catalog/option-figures.ts';
import { quantityToWire, type Quantity } from '../money/quantity.ts';
import type { Letter } from './letter.ts';
import type { MailedDocument } from './mail-life.ts';

/** What a mail says about a document of an order. */
export interface DocumentToTell {
  document: MailedDocument;
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
  const { document, shopName, orderIncrementId, incrementId, total, currencyCode, lines, parcels, remark } = facts;
  const rest = lines.length - mostLines;
  return {
    subject: subjects[document](orderIncrementId, incrementId),
    text: [
      'Hello,',
      '',
      `${openings[document](orderIncrementId, incrementId)}:`,
      '',
      ...lines
        .slice(0, mostLines)
        .flatMap(({ name, qty, options }) => [`- ${quantityToWire(qty)} × ${name}`, ...options.map(optionText)]),
      ...(rest > 0 ? [`- and ${rest} more`] : []),
      '',
      ...(total === null ? [] : [`Total: ${priceText(total, currencyCode)}`, '']),
      ...parcels.map(({ title, number }) => `Tracking: ${[title, number].filter(Boolean).join(' ')}`),
      ...(parcels.length > 0 ? [''] : []),
      ...(remark === null || remark.trim() === '' ? [] : [remark, '']),
      shopName,
      '',
    ].join('\n'),
  };
}

/** A text of several lines stays beneath its product. */
const optionText = ({ label, value }: ShownOption) => `  ${label}: ${value.replaceAll('\n', '\n  ')}`;

type Words = Record<MailedDocument, (orderIncrementId: string, incrementId: string) => string>;

const subjects: Words = {
  order: (order) => `Your order ${order}`,
  invoice: (order, invoice) => `Invoice ${invoice} for your order ${order}`,
  shipment: (order) => `Your order ${order} is on its way`,
  creditmemo: (order, memo) => `Credit memo ${memo} for your order ${order}`,
};

const openings: Words = {
  order: (order) => `this is your order ${order}`,
  invoice: (order, invoice) => `this is invoice ${invoice} for your order ${order}`,
  shipment: (order, shipment) => `shipment ${shipment} of your order ${order} was handed over`,
  creditmemo: (order, memo) => `this is credit memo ${memo} for your order ${order}`,
};
