import Papa from 'papaparse';
import {
  creditIssuedOn,
  paidByDay,
  paymentsOn,
  type CreditIssued,
  type DayTotal,
  type PaidOnDay,
} from '../../db/movements/read-day.ts';
import { whatWaits, type Waiting } from '../../db/ops/read-day.ts';
import { isCalendarDay } from '../../domain/calendar-day.ts';
import { priceText } from '../../domain/currency-texts.ts';
import { invalid } from '../../domain/errors.ts';
import { dateAfter, localDateOf, startOfDate } from '../../domain/local-day.ts';
import { add, subtract, toWire, zero, type Amount } from '../../domain/money.ts';
import { dayJoin } from './day-join.ts';
import { barChart, facts, form, heading, paragraph, table, type Html } from './html.ts';
import type { OpsPage, PageAnswer, Visit } from './visit.ts';

/** A business day of each store in sums. The movements of registers are as recent as their uploads. */

const right = { acl: 'Vendor_Pos::locations', staff: ['view_daily_summary', 'view_reports'] } as const;

/** The day that is asked for; undefined: the present one. Refused with 400: what is no day of this century. */
function dayIn({ query, w }: Visit): string | undefined {
  const input = query.get('day') ?? '';
  if (input === '') return undefined;
  if (!input.startsWith('20') || !isCalendarDay(input)) throw invalid(w.dayNotThere);
  return input;
}

/** The day that is asked for, else the one of now: from its first moment to that of the next day. */
function daySpan(visit: Visit): { date: string; from: Date; to: Date } {
  const { now, timeZone } = visit;
  const date = dayIn(visit) ?? localDateOf(now, timeZone);
  return { date, from: startOfDate(date, timeZone), to: startOfDate(dateAfter(date, 1), timeZone) };
}

async function paymentsOf({ em, person, w }: Visit, day: string): Promise<DayTotal[]> {
  const rows = await paymentsOn(em, { locationIds: person.locationIds, day });
  return rows.map((row) => ({ ...row, tender: w.tenders[row.tender] ?? row.tender }));
}

async function showToday(visit: Visit): Promise<PageAnswer> {
  const { em, person, w, f, now } = visit;
  const { locationIds } = person;
  const { date: iso, from, to } = daySpan(visit);
  const firstOfWeek = dateAfter(iso, -6);
  const [rows, week, credit, waits] = await Promise.all([
    paymentsOf(visit, iso),
    paidByDay(em, { locationIds, from: firstOfWeek, to: iso }),
    creditIssuedOn(em, { locationIds, day: iso }),
    whatWaits(em, { locationIds }),
  ]);
  // What waits, waits now: it is nothing of another day.
  const isToday = from <= now && now < to;
  const sums = sumsByCurrency(rows);
  return {
    title: isToday ? `${w.today}: ${f.day(from)}` : f.day(from),
    body: [
      facts([
        ...sums.flatMap(({ currency, moneyIn, moneyOut }) => [
          { name: `${w.sold} (${currency})`, value: f.money(moneyIn, currency) },
          { name: `${w.takenBack} (${currency})`, value: f.money(moneyOut, currency) },
          { name: `${w.rest} (${currency})`, value: f.money(subtract(moneyIn, moneyOut), currency) },
        ]),
        ...(isToday
          ? [
              { name: w.openReturnsCount, value: f.number(sumOf(waits, 'openReturns')), href: '/ops/returns' },
              { name: w.doubts, value: f.number(sumOf(waits, 'doubts')), href: '/ops' },
            ]
          : []),
      ]),
      table({
        caption: w.byShopAndTender,
        heads: [w.shop, w.tender, `#${w.sales}`, `#${w.sold}`, `#${w.returnsCount}`, `#${w.takenBack}`],
        rows: rows.map((row) => [
          row.shop ?? w.noShop,
          row.tender,
          f.number(row.timesIn),
          f.money(row.moneyIn, row.currency),
          f.number(row.timesOut),
          f.money(row.moneyOut, row.currency),
        ]),
        empty: w.nothingSold,
      }),
      ...(credit.length === 0
        ? []
        : [
            table({
              caption: w.creditGiven,
              heads: [w.shop, w.creditTo, `#${w.times}`, `#${w.amount}`],
              rows: credit.map(({ shop, kind, count, given, currency }) => [
                shop ?? w.noShop,
                w.creditKinds[kind],
                f.number(count),
                f.money(given, currency),
              ]),
              empty: w.none,
            }),
          ]),
      ...(waits.length === 0 || !isToday
        ? []
        : [
            table({
              caption: w.waitsByShop,
              heads: [w.shop, `#${w.openReturnsCount}`, `#${w.doubts}`],
              rows: waits.map(({ shop, openReturns, doubts }) => [
                shop ?? w.noShop,
                f.number(openReturns),
                f.number(doubts),
              ]),
              empty: w.none,
            }),
          ]),
      ...(await dayJoin(visit, { locationIds, day: iso })),
      ...(rows.length === 0 ? [] : [heading(w.dayPlot), ...(await dayCharts(visit, rows))]),
      ...(week.length === 0 ? [] : [heading(w.weekPlot), ...(await weekCharts(visit, week, firstOfWeek))]),
      paragraph(w.fromReceipts, 'soft'),
      form({ action: '/ops/today.csv', method: 'get', hidden: { day: iso }, buttons: [{ text: w.asCsv }] }),
      form({
        ...{ action: '/ops/today', method: 'get' },
        hidden: { day: dateAfter(iso, -1) },
        buttons: [{ text: w.dayBefore, kind: 'quiet' }],
      }),
      ...(isToday
        ? []
        : [
            form({
              ...{ action: '/ops/today', method: 'get', hidden: { day: dateAfter(iso, 1) } },
              buttons: [{ text: w.dayAfter, kind: 'quiet' }],
            }),
          ]),
    ],
  };
}

const sumOf = (waits: readonly Waiting[], what: 'openReturns' | 'doubts') =>
  waits.reduce((sum, one) => sum + one[what], 0);

function sumsByCurrency(rows: readonly DayTotal[]) {
  const sums = new Map<string, { moneyIn: Amount; moneyOut: Amount }>();
  for (const row of rows) {
    const before = sums.get(row.currency) ?? { moneyIn: zero, moneyOut: zero };
    sums.set(row.currency, {
      moneyIn: add(before.moneyIn, row.moneyIn),
      moneyOut: add(before.moneyOut, row.moneyOut),
    });
  }
  return [...sums].map(([currency, sum]) => ({ currency, ...sum }));
}

/** A chart for each currency: bars of two currencies have no common height. */
const chartsByCurrency = <Row extends { currency: string }>(
  rows: readonly Row[],
  draw: (currency: string, own: readonly Row[]) => Promise<Html>,
): Promise<Html[]> =>
  Promise.all([...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => draw(currency, own)));

const dayCharts = ({ w, f }: Visit, rows: readonly DayTotal[]): Promise<Html[]> =>
  chartsByCurrency(rows, (currency, own) => {
    const bars = own.flatMap((row) =>
      row.byHour.map(({ hour, moneyIn }) => ({ label: hour, group: row.shop ?? w.noShop, height: toWire(moneyIn) })),
    );
    const labels = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
    return barChart({
      caption: `${w.dayPlot} (${currency})`,
      bars: stacked(bars),
      labels,
      format: (value) => f.number(Math.round(value)),
    });
  });

function weekCharts({ w, f }: Visit, rows: readonly PaidOnDay[], first: string): Promise<Html[]> {
  const labels = Array.from({ length: 7 }, (_, at) => dateAfter(first, at).slice(5));
  return chartsByCurrency(rows, (currency, own) => {
    const bars = own.map(({ day, shop, moneyIn }) => ({
      ...{ label: day.slice(5), group: shop ?? w.noShop, height: toWire(moneyIn) },
    }));
    return barChart({
      caption: `${w.weekPlot} (${currency})`,
      bars: stacked(bars),
      labels,
      format: (value) => f.number(Math.round(value)),
    });
  });
}

/** One bar for each label and group. */
function stacked(bars: readonly { label: string; group: string; height: number }[]) {
  const sums = new Map<string, { label: string; group: string; height: number }>();
  for (const bar of bars) {
    const key = `${bar.label} ${bar.group}`;
    const before = sums.get(key);
    if (before) before.height += bar.height;
    else sums.set(key, { ...bar });
  }
  return [...sums.values()];
}

/** `54.00`: in the digits of the currency. */
const inCoins = (value: Amount, currency: string): string => priceText(value, currency).split(' ')[0] ?? '';

/** The sum of each column, for each currency. */
function totalRows(
  { w, day }: { w: Visit['w']; day: string },
  rows: readonly DayTotal[],
  credit: readonly CreditIssued[],
): (string | number)[][] {
  const currencies = [...new Set([...rows, ...credit].map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const input = credit.filter((row) => row.currency === currency);
    const count = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
    return [
      ...[day, w.total, '', currency, count(own.map(({ timesIn }) => timesIn))],
      inCoins(add(zero, ...own.map(({ moneyIn }) => moneyIn)), currency),
      count(own.map(({ timesOut }) => timesOut)),
      inCoins(add(zero, ...own.map(({ moneyOut }) => moneyOut)), currency),
      count(input.map((one) => one.count)),
      inCoins(add(zero, ...input.map((one) => one.given)), currency),
      inCoins(
        subtract(add(zero, ...own.map(({ moneyIn }) => moneyIn)), add(zero, ...own.map(({ moneyOut }) => moneyOut))),
        currency,
      ),
    ];
  });
}

/** What a spreadsheet would calculate. A negative figure stays a number. */
const aFormula = /^[=+\-@\t\r](?!\d+(?:\.\d+)?$)/v;

async function todayAsCsv(visit: Visit): Promise<PageAnswer> {
  const { em, person, w } = visit;
  const { date: day } = daySpan(visit);
  const requested = { locationIds: person.locationIds, day };
  const [rows, credit] = await Promise.all([paymentsOf(visit, day), creditIssuedOn(em, requested)]);
  const fields = [
    ...[w.day, w.shop, w.tender, w.currency, w.sales, w.sold, w.returnsCount, w.takenBack],
    ...[w.creditTimes, w.creditGivenSum, w.rest],
  ];
  const data = [
    ...rows.map((row) => [
      ...[day, row.shop ?? '', row.tender, row.currency, row.timesIn, inCoins(row.moneyIn, row.currency)],
      ...[row.timesOut, inCoins(row.moneyOut, row.currency), 0, inCoins(zero, row.currency)],
      inCoins(subtract(row.moneyIn, row.moneyOut), row.currency),
    ]),
    ...credit.map(({ shop, kind, currency, count, given }) => [
      ...[day, shop ?? '', w.creditKinds[kind], currency, 0, inCoins(zero, currency), 0, inCoins(zero, currency)],
      ...[count, inCoins(given, currency), inCoins(zero, currency)],
    ]),
    ...totalRows({ w, day }, rows, credit),
  ];
  // Names are people's texts: no spreadsheet takes one for a formula.
  const file = Papa.unparse({ fields, data }, { escapeFormulae: aFormula });
  return { file: `${file}\r\n`, type: 'text/csv; charset=utf-8', name: `day-${day}.csv` };
}

export const todayPages: readonly OpsPage[] = [
  { method: 'GET', path: '/today', right, menu: (w) => w.today, handle: showToday },
  { method: 'GET', path: '/today.csv', right, handle: todayAsCsv },
];
