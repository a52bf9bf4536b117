import { add, negate, zero, type Amount } from './amount.ts';
import { currencies, type Currency, type InBoth } from './in-both.ts';

/** The columns of an amount, one in each currency. */
export interface Twin<Own extends string = string, Base extends string = string> {
  readonly order: Own;
  readonly base: Base;
}

/** Amounts by name, each with its two columns. */
export type Figures = Readonly<Record<string, Twin>>;
type ColumnOf<Of extends Figures> = Of[keyof Of][Currency];
/** The same amounts in one currency. */
export type Money<Of extends Figures> = Record<keyof Of, Amount>;

/** The platform's name of the column in the base currency: `taxAmount`, `baseTaxAmount`. */
export const baseNameOf = <const Name extends string>(name: Name) =>
  `base${name.charAt(0).toUpperCase()}${name.slice(1)}` as `base${Capitalize<Name>}`;

/** An amount with its own name as column, and `base` in front for the base currency. */
export const twin = <const Name extends string>(name: Name): Twin<Name, `base${Capitalize<Name>}`> => ({
  order: name,
  base: baseNameOf(name),
});

/** Several amounts, each with its name as column. */
export const twins = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, twin(name)])) as {
    readonly [Each in Name]: Twin<Each, `base${Capitalize<Each>}`>;
  };

/** A row with the columns of these amounts. */
export type MoneyColumns<Of extends Figures> = Record<ColumnOf<Of>, Amount>;

type Row<Of extends Figures, Value> = { readonly [Column in ColumnOf<Of>]: Value };

/** A row's amounts in one currency; null counts as zero. */
export const moneyOf = <Of extends Figures>(
  row: Row<NoInfer<Of>, Amount | null>,
  figures: Of,
  currency: Currency,
): Money<Of> => each(figures, (name) => row[columnIn(figures, name, currency)] ?? zero);

/** The columns of amounts that are known in both currencies. */
export function columnsOfMoney<Of extends Figures>(figures: Of, money: InBoth<Money<NoInfer<Of>>>): MoneyColumns<Of> {
  const columns: Partial<MoneyColumns<Of>> = {};
  for (const name in figures)
    for (const currency of currencies) columns[columnIn(figures, name, currency)] = money[currency][name];
  return columns as MoneyColumns<Of>;
}

/** Adds amounts to a row's totals, or subtracts them again. */
export function countMoney<Of extends Figures>(
  row: MoneyColumns<NoInfer<Of>>,
  registers: Of,
  money: InBoth<Money<NoInfer<Of>>>,
  direction: 'in' | 'out' = 'in',
): void {
  for (const name in registers)
    for (const currency of currencies) {
      const register = columnIn(registers, name, currency);
      const by = money[currency][name];
      row[register] = add(row[register], direction === 'in' ? by : negate(by));
    }
}

const columnIn = <Of extends Figures>(figures: Of, name: keyof Of, currency: Currency): ColumnOf<Of> =>
  figures[name]?.[currency] as ColumnOf<Of>;

function each<Of extends Figures>(figures: Of, of: (name: keyof Of) => Amount): Money<Of> {
  const found: Partial<Money<Of>> = {};
  for (const name in figures) found[name] = of(name);
  return found as Money<Of>;
}
