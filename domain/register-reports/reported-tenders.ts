import { add, parseAmount, subtract, zero, type Amount } from '../money.ts';
import { isSection, rowsOf, textAt } from '../receipts/receipt-payments.ts';

/** What a register reports of a tender. A figure that it did not state is null. */
export interface ReportedTender {
  /** In lower case. */
  tender: string;
  /** In upper case. */
  currency: string;
  counted: Amount | null;
  expected: Amount | null;
}

/** More rows than a drawer has tenders are not read. */
const maxRows = 200;
const maxName = 64;
/** A larger number has no cents. */
const maxFigure = 1e12;

/**
 * The tenders of a report's document (`docs/registers/register-reports.md`). Rows of one tender and currency are added.
 * A row without a tender or a readable figure is left out, and a document without `tenders` has none.
 *
 * @param currencyCode the report's own, for rows without one
 */
export function reportedTenders(document: unknown, currencyCode: string): ReportedTender[] {
  if (!isSection(document)) return [];
  const sums = new Map<string, ReportedTender>();
  for (const row of rowsOf(document['tenders'], maxRows) ?? []) {
    const tender = textAt(row, 'tender')?.trim().toLowerCase();
    const currency = (textAt(row, 'currency')?.trim() || currencyCode).toUpperCase();
    const [counted, expected] = [figureOf(row['counted']), figureOf(row['expected'])];
    if (!tender || tender.length > maxName || !/^[A-Z]{3}$/.test(currency)) continue;
    if (counted === null && expected === null) continue;
    const key = `${currency} ${tender}`;
    const before = sums.get(key);
    sums.set(key, {
      ...{ tender, currency },
      counted: sumOf(before?.counted, counted),
      expected: sumOf(before?.expected, expected),
    });
  }
  return [...sums.values()];
}

/** A sum of floats, such as 190.29999999999998, is rounded to the four places of an amount. */
function figureOf(value: unknown): Amount | null {
  if (typeof value === 'string') return parseAmount(value.trim()) ?? null;
  return typeof value === 'number' && Math.abs(value) < maxFigure ? (parseAmount(value.toFixed(4)) ?? null) : null;
}

const sumOf = (before: Amount | null | undefined, figure: Amount | null): Amount | null =>
  figure === null ? (before ?? null) : add(before ?? zero, figure);

/** What the server has of a tender: a closing, or the movements of a session. */
export interface OwnTender {
  tender: string;
  currency: string;
  counted: Amount | null;
  expected: Amount;
}

export interface ComparedTender extends Omit<OwnTender, 'expected'> {
  /** Null: the server has no movement by this tender. */
  expected: Amount | null;
  reported: Pick<ReportedTender, 'counted' | 'expected'> | null;
  /** Reported less ours; null where one side has no figure, which is no difference by itself. */
  difference: { counted: Amount | null; expected: Amount | null };
  /** A figure differs, or only one side has money by this tender. */
  differs: boolean;
}

/**
 * Compares what a register reports with what the server has, by tender and currency, sorted by both. Without a
 * reported tender at all, nothing differs: the register states no figures.
 */
export function compareTenders(reported: readonly ReportedTender[], own: readonly OwnTender[]): ComparedTender[] {
  const keyOf = ({ tender, currency }: { tender: string; currency: string }) =>
    `${currency.toUpperCase()} ${tender.toLowerCase()}`;
  const theirs = new Map(reported.map((row) => [keyOf(row), row]));
  const ours = new Map(own.map((row) => [keyOf(row), row]));
  const keys = [...new Set([...theirs.keys(), ...ours.keys()])].toSorted();
  return keys.map((key) => {
    const [currency, tender] = [key.slice(0, 3), key.slice(4)];
    return { tender, currency, ...comparedOf(theirs.get(key), ours.get(key), reported.length > 0) };
  });
}

function comparedOf(
  reported: ReportedTender | undefined,
  own: OwnTender | undefined,
  isReported: boolean,
): Omit<ComparedTender, 'tender' | 'currency'> {
  const difference = {
    counted: lessOf(reported?.counted, own?.counted),
    expected: lessOf(reported?.expected, own?.expected),
  };
  const isOneSided = isReported && (reported === undefined || own === undefined) && hasMoney(reported ?? own);
  return {
    counted: own?.counted ?? null,
    expected: own?.expected ?? null,
    reported: reported === undefined ? null : { counted: reported.counted, expected: reported.expected },
    difference,
    differs:
      isOneSided || [difference.counted, difference.expected].some((figure) => figure !== null && figure !== zero),
  };
}

const lessOf = (reported: Amount | null | undefined, own: Amount | null | undefined): Amount | null =>
  reported === null || reported === undefined || own === null || own === undefined ? null : subtract(reported, own);

const hasMoney = (row: { counted: Amount | null; expected: Amount | null } | undefined): boolean =>
  [row?.counted, row?.expected].some((figure) => figure !== null && figure !== undefined && figure !== zero);
