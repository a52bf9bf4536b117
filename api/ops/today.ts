import Papa from 'papaparse';
import {
  creditIssuedBetween,
  methodsOfCards,
  soldByDay,
  totalsBetween,
  whatWaits,
  type CreditIssued,
  type DayTotal,
  type SoldOnADay,
  type Waiting,
} from '../../db/ops/read-day.ts';
import { isCalendarDay } from '../../domain/calendar-day.ts';
import { priceText } from '../../domain/currency-texts.ts';
import { invalid } from '../../domain/errors.ts';
import { dateAfter, localDateOf, startOfDate } from '../../domain/local-day.ts';
import { add, subtract, toWire, zero, type Amount } from '../../domain/money.ts';
import { barChart, facts, form, heading, paragraph, table, type Html } from './html.ts';
import type { OpsPage, PageAnswer, Visit } from './visit.ts';

/** The day of each shop in sums: from the receipts that the registers sent, so it is as fresh as they are. */

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

/** What a till calls cash and a card, the books of orders know under the platform's own methods. */
const sameWay: Readonly<Record<string, string>> = {
  cashondelivery: 'cash',
  terminal: 'card',
  manual_card: 'card',
};

/** One row for each way of paying, for what came in and what went out by it. */
function byWay({ w }: Visit, rows: readonly DayTotal[], cards: ReadonlySet<string>): DayTotal[] {
  const ways = new Map<string, DayTotal>();
  for (const row of rows) {
    const way = cards.has(row.tender) ? 'card' : (sameWay[row.tender] ?? row.tender);
    const key = `${row.locationId} ${way} ${row.currency}`;
    const before = ways.get(key);
    ways.set(key, {
      ...row,
      tender: w.tenders[way] ?? way,
      sales: row.sales + (before?.sales ?? 0),
      sold: add(row.sold, before?.sold ?? zero),
      refunds: row.refunds + (before?.refunds ?? 0),
      refunded: add(row.refunded, before?.refunded ?? zero),
      byHour: [...(before?.byHour ?? []), ...row.byHour],
    });
  }
  return [...ways.values()];
}

async function totalsOf(visit: Visit, span: { from: Date; to: Date }): Promise<DayTotal[]> {
  const { em, person } = visit;
  const [rows, cards] = await Promise.all([
    totalsBetween(em, { locationIds: person.locationIds, ...span }),
    methodsOfCards(em),
  ]);
  return byWay(visit, rows, cards);
}

async function showToday(visit: Visit): Promise<PageAnswer> {
  const { em, person, w, f, now } = visit;
  const { locationIds } = person;
  const { date: iso, from, to } = daySpan(visit);
  const firstOfWeek = dateAfter(iso, -6);
  const weekFrom = startOfDate(firstOfWeek, visit.timeZone);
  const [rows, week, credit, waits] = await Promise.all([
    totalsOf(visit, { from, to }),
    soldByDay(em, { locationIds, from: weekFrom, to, timeZone: visit.timeZone }),
    creditIssuedBetween(em, { locationIds, from, to }),
    whatWaits(em, { locationIds }),
  ]);
  // What waits, waits now: it is nothing of another day.
  const isToday = from <= now && now < to;
  const sums = sumsByCurrency(rows);
  return {
    title: isToday ? `${w.today}: ${f.day(from)}` : f.day(from),
    body: [
      facts([
        ...sums.flatMap(({ currency, sold, refunded }) => [
          { name: `${w.sold} (${currency})`, value: f.money(sold, currency) },
          { name: `${w.takenBack} (${currency})`, value: f.money(refunded, currency) },
          { name: `${w.rest} (${currency})`, value: f.money(subtract(sold, refunded), currency) },
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
          f.number(row.sales),
          f.money(row.sold, row.currency),
          f.number(row.refunds),
          f.money(row.refunded, row.currency),
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
      ...(rows.length === 0 ? [] : [heading(w.dayPlot), await dayChart(visit, rows)]),
      ...(week.length === 0 ? [] : [heading(w.weekPlot), await weekChart(visit, week, firstOfWeek)]),
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
  const sums = new Map<string, { sold: Amount; refunded: Amount }>();
  for (const row of rows) {
    const before = sums.get(row.currency) ?? { sold: zero, refunded: zero };
    sums.set(row.currency, { sold: add(before.sold, row.sold), refunded: add(before.refunded, row.refunded) });
  }
  return [...sums].map(([currency, sum]) => ({ currency, ...sum }));
}

/** Of the currency with the most sales: bars of two currencies have no common height. */
function mostUsed<Row extends { currency: string; sales: number }>(rows: readonly Row[]) {
  const sales = new Map<string, number>();
  for (const row of rows) sales.set(row.currency, (sales.get(row.currency) ?? 0) + row.sales);
  const [currency = ''] = [...sales].sort(([, one], [, other]) => other - one)[0] ?? [];
  return { currency, own: rows.filter((row) => row.currency === currency) };
}

function dayChart({ w, f, timeZone }: Visit, rows: readonly DayTotal[]): Promise<Html> {
  const { currency, own } = mostUsed(rows);
  const hours = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', hour: '2-digit' },
  });
  const bars = own.flatMap((row) =>
    row.byHour.map(({ hour, sold }) => ({
      ...{ label: hours.format(hour), group: row.shop ?? w.noShop, height: toWire(sold) },
    })),
  );
  const labels = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
  return barChart({
    caption: `${w.dayPlot} (${currency})`,
    bars: stacked(bars),
    labels,
    format: (value) => f.number(Math.round(value)),
  });
}

function weekChart(visit: Visit, rows: readonly SoldOnADay[], first: string): Promise<Html> {
  const { w, f } = visit;
  const { currency, own } = mostUsed(rows);
  const days = Array.from({ length: 7 }, (_, at) => dateAfter(first, at));
  const bars = own.map(({ day, shop, sold }) => ({
    ...{ label: day.slice(5), group: shop ?? w.noShop, height: toWire(sold) },
  }));
  const labels = days.map((day) => day.slice(5));
  return barChart({
    caption: `${w.weekPlot} (${currency})`,
    bars: stacked(bars),
    labels,
    format: (value) => f.number(Math.round(value)),
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
      ...[day, w.total, '', currency, count(own.map(({ sales }) => sales))],
      inCoins(add(zero, ...own.map(({ sold }) => sold)), currency),
      count(own.map(({ refunds }) => refunds)),
      inCoins(add(zero, ...own.map(({ refunded }) => refunded)), currency),
      count(input.map((one) => one.count)),
      inCoins(add(zero, ...input.map((one) => one.given)), currency),
    ];
  });
}

async function todayAsCsv(visit: Visit): Promise<PageAnswer> {
  const { em, person, w } = visit;
  const { date: day, from, to } = daySpan(visit);
  const requested = { locationIds: person.locationIds, from, to };
  const [rows, credit] = await Promise.all([totalsOf(visit, { from, to }), creditIssuedBetween(em, requested)]);
  const fields = [
    ...[w.day, w.shop, w.tender, w.currency, w.sales, w.sold, w.returnsCount, w.takenBack],
    ...[w.creditTimes, w.creditGivenSum],
  ];
  const data = [
    ...rows.map((row) => [
      ...[day, row.shop ?? '', row.tender, row.currency, row.sales, inCoins(row.sold, row.currency)],
      ...[row.refunds, inCoins(row.refunded, row.currency), 0, inCoins(zero, row.currency)],
    ]),
    ...credit.map(({ shop, kind, currency, count, given }) => [
      ...[day, shop ?? '', w.creditKinds[kind], currency, 0, inCoins(zero, currency), 0, inCoins(zero, currency)],
      ...[count, inCoins(given, currency)],
    ]),
    ...totalRows({ w, day }, rows, credit),
  ];
  // Names are people's texts: no spreadsheet takes one for a formula.
  const file = Papa.unparse({ fields, data }, { escapeFormulae: true });
  return { file: `${file}\r\n`, type: 'text/csv; charset=utf-8', name: `day-${day}.csv` };
}

export const todayPages: readonly OpsPage[] = [
  { method: 'GET', path: '/today', right, menu: (w) => w.today, handle: showToday },
  { method: 'GET', path: '/today.csv', right, handle: todayAsCsv },
];
