import { absolute, add, money, negate, subtract, toPlain, zero, type Amount } from '../money.ts';
import type { CountLine, OpeningLine } from './session-words.ts';

/** What moved in a session by one tender in one currency for one kind. */
export interface Moved {
  currency: string;
  tender: string;
  kind: string;
  count: number;
  moneyIn: Amount;
  /** Above zero. */
  moneyOut: Amount;
}

/** Credit and the exchange of goods are in no drawer and at no processor: nobody counts them. */
const uncounted: readonly string[] = ['store_credit', 'gift_card', 'reward_points', 'exchange'];
/** Cash between the drawer and the office. It is no takings. */
export const betweenDrawerAndOffice: readonly string[] = ['cash_in', 'cash_out', 'drop'];

/** A tender of a session in a currency: what came in and went back, and what there should be of it. */
export interface TenderFigures {
  currency: string;
  tender: string;
  count: number;
  gross: Amount;
  refunds: Amount;
  net: Amount;
  /** Of cash with what was there at the opening, and with what the office put in and took out. */
  expected: Amount;
}

const keyOf = ({ currency, tender }: { currency: string; tender: string }) => `${currency} ${tender}`;

/**
 * What each tender of a session took and gave, and what should be there: cash of each currency that was opened, and
 * every tender that moved. Sorted by currency and tender.
 */
export function tenderFigures(opening: readonly OpeningLine[], moved: readonly Moved[]): TenderFigures[] {
  const figures = new Map<string, TenderFigures>();
  const lineOf = (currency: string, tender: string) => {
    const key = keyOf({ currency, tender });
    const none = { count: 0, gross: zero, refunds: zero, net: zero, expected: zero };
    const line = figures.get(key) ?? { currency, tender, ...none };
    figures.set(key, line);
    return line;
  };
  for (const { currency, counted } of opening) lineOf(currency, 'cash').expected = money(counted);
  for (const { currency, tender, kind, count, moneyIn, moneyOut } of moved) {
    if (uncounted.includes(tender)) continue;
    const line = lineOf(currency, tender);
    line.expected = add(line.expected, moneyIn, negate(moneyOut));
    if (betweenDrawerAndOffice.includes(kind)) continue;
    line.count += count;
    line.gross = add(line.gross, moneyIn);
    line.refunds = add(line.refunds, moneyOut);
    line.net = subtract(line.gross, line.refunds);
  }
  return [...figures.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** A tender that was counted, beside what should be there. Both are null where one of them is not known. */
export interface ComparedTender extends TenderFigures {
  counted: Amount | null;
  difference: Amount | null;
}

/** Compares a count with what should be there. A tender that was not counted has no difference. */
export function compareWithCount(
  figures: readonly TenderFigures[],
  count: readonly CountLine[] | undefined,
): ComparedTender[] {
  const counted = new Map((count ?? []).map((line) => [keyOf(line), money(line.counted)]));
  const known = new Set(figures.map(keyOf));
  const unmoved = (count ?? []).flatMap(({ currency, tender }) =>
    known.has(keyOf({ currency, tender }))
      ? []
      : [{ currency, tender, count: 0, gross: zero, refunds: zero, net: zero, expected: zero }],
  );
  return [...figures, ...unmoved]
    .map((line) => {
      const found = counted.get(keyOf(line)) ?? null;
      return { ...line, counted: found, difference: found === null ? null : subtract(found, line.expected) };
    })
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Whether a line differs by more than an amount, over or short. */
export const differsByMoreThan = (lines: readonly ComparedTender[], most: Amount): boolean =>
  lines.some(({ difference }) => difference !== null && absolute(difference) > most);

/** What makes two looks at a session's movements the same: their number and what each tender should be. */
export const movementsText = (figures: readonly TenderFigures[], movements: number): string =>
  [movements, ...figures.map(({ expected, ...line }) => `${keyOf(line)} ${toPlain(expected)}`)].join('\n');
