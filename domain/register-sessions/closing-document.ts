import { jcsOf } from '../canonical-json.ts';
import { toWire, type Amount } from '../money.ts';
import type { ComparedTender } from './drawer-figures.ts';
import type { Explanation, OpeningLine } from './session-words.ts';

/** A person of a closing. */
export interface Person {
  staffId: number | null;
  name: string | null;
}

/** What a closing is made of. Every list is sorted: the same facts give the same text. */
export interface ClosingFacts {
  registerSessionUuid: string;
  drawerId: number;
  number: number;
  replaces: number | null;
  isForced: boolean;
  locationId: number;
  terminalId: number;
  businessDay: string;
  openedAt: string;
  countedAt: string | null;
  closedAt: string;
  opening: readonly OpeningLine[];
  lines: readonly ComparedTender[];
  explanations: readonly Explanation[];
  cash: readonly { currency: string; cashIn: Amount; cashOut: Amount; drops: Amount }[];
  /** Rates are percentages with four decimals. */
  taxes: readonly { currency: string; rate: Amount; tax: Amount }[];
  sums: readonly { currency: string; discounts: Amount; shippingTax: Amount }[];
  credits: readonly { currency: string; kind: string; redeemed: Amount; issued: Amount }[];
  layawayParts: readonly { currency: string; tender: string; count: number; amount: Amount }[];
  receipts: { count: number; first: string | null; last: string | null };
  noSales: number;
  counts: number;
  isNotBlind: boolean;
  late: readonly {
    closingNumber: number;
    currency: string;
    tender: string;
    kind: string;
    count: number;
    amount: Amount;
  }[];
  openedBy: Person;
  closedBy: Person;
  approvedBy: string | null;
  previousHash: string | null;
}

/**
 * The document of a closing as canonical JSON (RFC 8785), with amounts as numbers. It is stored with its SHA-256, which
 * the next closing of the drawer contains.
 */
export function closingDocument(facts: ClosingFacts): string {
  return jcsOf({
    schema_version: 1,
    register_session_uuid: facts.registerSessionUuid,
    drawer_id: facts.drawerId,
    number: facts.number,
    replaces: facts.replaces,
    is_forced: facts.isForced,
    location_id: facts.locationId,
    terminal_id: facts.terminalId,
    business_day: facts.businessDay,
    opened_at: facts.openedAt,
    opened_by: personOf(facts.openedBy),
    counted_at: facts.countedAt,
    closed_at: facts.closedAt,
    closed_by: personOf(facts.closedBy),
    approved_by: facts.approvedBy,
    opening: facts.opening.map(({ currency, counted, expected }) => ({
      currency,
      counted: Number(counted),
      expected: expected === undefined ? null : Number(expected),
    })),
    tenders: facts.lines.map((line) => tenderOf(line, facts.explanations)),
    cash: facts.cash.map((line) => cashOf(line, facts)),
    taxes: facts.taxes.map(({ currency, rate, tax }) => ({ currency, rate: toWire(rate), tax: toWire(tax) })),
    shipping_taxes: facts.sums.map(({ currency, shippingTax }) => ({ currency, tax: toWire(shippingTax) })),
    discounts: facts.sums.map(({ currency, discounts }) => ({ currency, amount: toWire(discounts) })),
    tips: [],
    rounding: [],
    credits: facts.credits.map(({ redeemed, issued, ...credit }) => ({
      ...credit,
      redeemed: toWire(redeemed),
      issued: toWire(issued),
    })),
    layaway_parts: facts.layawayParts.map(({ amount, ...part }) => ({ ...part, amount: toWire(amount) })),
    receipts: facts.receipts,
    no_sales: facts.noSales,
    counts: facts.counts,
    not_blind: facts.isNotBlind,
    late: facts.late.map(({ closingNumber, amount, ...line }) => ({
      closing_number: closingNumber,
      ...line,
      amount: toWire(amount),
    })),
    previous_hash: facts.previousHash,
  });
}

const personOf = ({ staffId, name }: Person) => ({ staff_id: staffId, name });

const wireOrNull = (amount: Amount | null) => (amount === null ? null : toWire(amount));

const tenderOf = (line: ComparedTender, explanations: readonly Explanation[]) => ({
  currency: line.currency,
  tender: line.tender,
  count: line.count,
  gross: toWire(line.gross),
  refunds: toWire(line.refunds),
  net: toWire(line.net),
  expected: toWire(line.expected),
  counted: wireOrNull(line.counted),
  difference: wireOrNull(line.difference),
  explanation:
    explanations.find(({ currency, tender }) => currency === line.currency && tender === line.tender)?.text ?? null,
});

function cashOf(
  { currency, cashIn, cashOut, drops }: ClosingFacts['cash'][number],
  { opening, lines }: ClosingFacts,
): Record<string, unknown> {
  const line = lines.find((one) => one.currency === currency && one.tender === 'cash');
  return {
    currency,
    opening: Number(opening.find((one) => one.currency === currency)?.counted ?? 0),
    cash_in: toWire(cashIn),
    cash_out: toWire(cashOut),
    drops: toWire(drops),
    takings: line === undefined ? 0 : toWire(line.net),
    expected: line === undefined ? 0 : toWire(line.expected),
    counted: line === undefined ? null : wireOrNull(line.counted),
    over_short: line === undefined ? null : wireOrNull(line.difference),
  };
}
