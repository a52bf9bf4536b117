/** Counts of 1/10 000: the platform stores money and quantities with four decimals. */

export const unitsPerWhole = 10_000;
/** 100 %, as a percentage is stored. */
export const wholeInPercent = 100 * unitsPerWhole;

const decimalText = /^([+-]?)(\d{1,15})(?:\.(\d{1,4})(\d{0,60}))?$/;
/** How JavaScript writes the tiny rest of a subtraction, such as `1e-17`. */
const tinyText = /^[+-]?\d(?:\.\d{1,20})?e-\d{1,3}$/;

/**
 * The noise of double arithmetic in a count, its smallest and its largest size: never as much as a fifth decimal. The
 * smallest is the rest of a difference of two millions.
 */
const leastNoise = 1e-5;
const mostNoise = 0.05;

/**
 * Reads a decimal with at most four decimals. Noise of double arithmetic does not count, so `0.30000000000000004` is
 * 0.3.
 *
 * @returns undefined for exponents, NaN, Infinity, blanks, further decimals and anything beyond a safe integer
 */
export function parseUnits(text: string): number | undefined {
  const match = decimalText.exec(text);
  if (!match) return tinyText.test(text) && Math.abs(Number(text)) * unitsPerWhole <= leastNoise ? 0 : undefined;
  const [, sign, whole, fraction = '', further = ''] = match;
  const cut = Number(whole) * unitsPerWhole + Number(fraction.padEnd(4, '0'));
  const rest = further === '' ? 0 : Number(`0.${further}`);
  const carried = Math.round(rest);
  const units = cut + carried;
  if (!Number.isSafeInteger(units) || Math.abs(rest - carried) > noiseOf(units)) return undefined;
  return sign === '-' && units !== 0 ? -units : units;
}

const noiseOf = (units: number) => Math.min(mostNoise, Math.max(leastNoise, 8 * Number.EPSILON * units));

/** `123400` → `"12.3400"`. */
export function formatUnits(units: number): string {
  const digits = String(Math.abs(units)).padStart(5, '0');
  return `${units < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/**
 * `value × numerator / denominator`, exact, rounded once half away from zero to a multiple of `step`.
 *
 * BigInt inside: the product of two safe integers is not safe.
 */
export function scaleUnits(value: number, numerator: number, denominator: number, step = 1): number {
  const dividend = BigInt(value) * BigInt(numerator);
  const divisor = BigInt(denominator) * BigInt(step);
  return Number(divideHalfAway(dividend, divisor)) * step || 0;
}

/** Integer division that rounds half away from zero, as the platform's rounding does. */
export function divideHalfAway(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * top + bottom) / (2n * bottom);
  return negative ? -quotient : quotient;
}

/**
 * Money: an integer count of 1/10 000 of a currency unit.
 *
 * Branded, so that the compiler refuses a bare number. Underneath it is a plain number, so JSON and Temporal payloads
 * carry it.
 */
export type Amount = number & { readonly __brand: 'Amount' };

/** Takes a count of 1/10 000. Throws on anything that is not a safe integer: that is a bug, not an input. */
export function amount(units: number): Amount {
  if (!Number.isSafeInteger(units)) throw new RangeError(`${units} is not an amount`);
  return (units === 0 ? 0 : units) as Amount;
}

export const zero = amount(0);

/** Reads a decimal such as `"12.34"`; undefined when it is not a decimal with at most four places. */
export function parseAmount(text: string): Amount | undefined {
  const units = parseUnits(text);
  return units === undefined ? undefined : amount(units);
}

/** For literals in code and tests: `money('12.34')`. Throws on anything else. */
export function money(text: string): Amount {
  const parsed = parseAmount(text);
  if (parsed === undefined) throw new RangeError(`"${text}" is not an amount`);
  return parsed;
}

/** `"12.3400"`: what the database stores. */
export const formatAmount = (value: Amount) => formatUnits(value);

/** What a JSON answer carries: a number with up to four decimals. */
export const toWire = (value: Amount) => value / unitsPerWhole;

/** `"8"`, `"8.5"`: plain, without trailing zeros, as some platform messages have it. */
export const toPlain = (value: Amount) => formatUnits(value).replace(/\.?(?<!0)0+$/, '');

export const add = (...values: readonly Amount[]) => amount(values.reduce((sum, value) => sum + value, 0));
export const subtract = (from: Amount, ...values: readonly Amount[]) => amount(from - add(...values));
export const negate = (value: Amount) => amount(0 - value);
export const absolute = (value: Amount) => amount(Math.abs(value));
export const least = (...values: readonly [Amount, ...Amount[]]) => amount(Math.min(...values));
export const greatest = (...values: readonly [Amount, ...Amount[]]) => amount(Math.max(...values));
export const isPositive = (value: Amount) => value > 0;

/**
 * `value × numerator / denominator`, rounded once, half away from zero.
 *
 * @param step the result is a multiple of this: the coin of its currency (see `coinOf`), or 1 for all four decimals
 */
export const scale = (value: Amount, numerator: number, denominator: number, step: number) =>
  amount(scaleUnits(value, numerator, denominator, step));

/** Amounts of an order exist in two currencies: `base`, that of the books, and `order`, that of the customer. */

export const currencies = ['base', 'order'] as const;
export type Currency = (typeof currencies)[number];

/** A value in each currency. */
export interface InBoth<Value = Amount> {
  base: Value;
  order: Value;
}

/** Calculates something in each currency. */
export const inBoth = <Value>(of: (currency: Currency) => Value): InBoth<Value> => ({
  base: of('base'),
  order: of('order'),
});

/** How many, as an integer count of 1/10 000: goods are also sold by weight and length. */
export type Quantity = number & { readonly __brand: 'Quantity' };

export function quantity(units: number): Quantity {
  if (!Number.isSafeInteger(units)) throw new RangeError(`${units} is not a quantity`);
  return (units === 0 ? 0 : units) as Quantity;
}

/** `pieces(3)` is three whole ones. */
export const pieces = (count: number) => quantity(count * unitsPerWhole);
export const none = quantity(0);

/** Reads a decimal such as `"1.5"`; undefined when it has more than four decimals or is no number. */
export function parseQuantity(text: string): Quantity | undefined {
  const units = parseUnits(text);
  return units === undefined ? undefined : quantity(units);
}

export const formatQuantity = (value: Quantity) => formatUnits(value);
export const quantityToWire = (value: Quantity) => value / unitsPerWhole;
export const plus = (...values: readonly Quantity[]) => quantity(values.reduce((sum, value) => sum + value, 0));
export const minus = (from: Quantity, ...values: readonly Quantity[]) => quantity(from - plus(...values));
export const atLeastNone = (value: Quantity) => quantity(Math.max(0, value));
export const minimum = (...values: readonly [Quantity, ...Quantity[]]) => quantity(Math.min(...values));
export const most = (...values: readonly [Quantity, ...Quantity[]]) => quantity(Math.max(...values));
/** More than any line of an order can have. */
const beyondEveryLine = 1e15;
/** What several rows ask for together. A sum that could overflow stays at a bound, and is refused as too many. */
export const together = (rows: readonly Quantity[]) =>
  quantity(
    Math.min(
      beyondEveryLine,
      rows.reduce((sum, row) => sum + row, 0),
    ),
  );
export const isWhole = (value: Quantity) => value % unitsPerWhole === 0;

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

/**
 * Decimals of the currencies whose smallest coin is not a hundredth: the minor units of ISO 4217, list one of the
 * maintenance agency (SIX), as of 2024-06-25. Every other code has two, also those without a minor unit of their own
 * (metals, funds, test codes): they are not used for payments.
 *
 * Listed by hand and not read from `Intl`, which knows how a currency is usually shown. It shows no decimals for RSD,
 * HUF or IQD, though cards are charged in them.
 */
export const currencyExponents: Readonly<Record<string, number>> = {
  ...withDecimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...withDecimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...withDecimals(4, 'CLF UYW'),
};

const usualExponent = 2;

function withDecimals(decimals: number, codes: string): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, decimals]));
}

/**
 * The smallest coin of a currency, in units of an `Amount`: 100 for USD, 10 000 for JPY, 10 for KWD.
 *
 * The one place that knows a currency's precision. Every charge and every handback is a whole number of coins of its
 * currency. A finer amount from a register counts as the nearest coin.
 */
export type Coin = number & { readonly __brand: 'Coin' };

/** The two currencies of an order. */
export interface OrderCurrencies {
  baseCurrencyCode: string;
  orderCurrencyCode: string;
}

/** The coin of each of them. */
export type Coins = Readonly<InBoth<Coin>>;

/** How many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export const minorDigits = (currencyCode: string): number =>
  currencyExponents[currencyCode.toUpperCase()] ?? usualExponent;

export const coinOf = (currencyCode: string): Coin => (unitsPerWhole / 10 ** minorDigits(currencyCode)) as Coin;

export const coinsOf = ({ baseCurrencyCode, orderCurrencyCode }: OrderCurrencies): Coins => ({
  base: coinOf(baseCurrencyCode),
  order: coinOf(orderCurrencyCode),
});

/** To the nearest coin, half away from zero, as the platform rounds prices to two decimals. */
export const toCoins = (value: Amount, coin: Coin): Amount => amount(scaleUnits(value, 1, 1, coin));

/** Rounded up to coins: what a customer pays for a part of a coin. */
export const upToCoins = (value: Amount, coin: Coin): Amount => amount(Math.ceil(value / coin) * coin);

/** Rounded down to coins. */
export const downToCoins = (value: Amount, coin: Coin): Amount => amount(Math.floor(value / coin) * coin);

export const isInCoins = (value: Amount, coin: Coin): boolean => value % coin === 0;
