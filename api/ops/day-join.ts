import { findDayDifferences, joinDay, type DayDifference, type DayTerm } from '../../db/movements/join-day.ts';
import type { OfDay } from '../../db/movements/read-day.ts';
import { add, subtract, zero, type Amount } from '../../domain/money.ts';
import { table, type Html } from './html.ts';
import type { Visit } from './visit.ts';

/** The part of the page Today that joins sales with payments, and lists what does not match. */

const words = {
  en: {
    dayJoin: 'From sales to payments',
    dayTerm: 'Figure',
    dayTerms: {
      net_sales: 'Net sales',
      tax: 'Tax',
      shipping: 'Shipping',
      fees: 'Fees kept less goodwill',
      deposits: 'Deposits of layaways',
      credit: 'Credit issued less credit redeemed',
      due: 'Due collected less new due',
      incidents: 'Incidents paid out',
      without_receipt: 'Orders without a receipt',
      without_order: 'Receipts without an order',
      payments: 'Net payments',
      difference: 'Difference',
    },
    dayDifferences: 'Documents to check',
    dayDocument: 'Document',
    dayProblem: 'Problem',
    dayProblems: {
      unassigned: 'not assigned to a register',
      order_without_receipt: 'order without a receipt',
      receipt_without_order: 'receipt without an order',
      receipt_without_document: 'receipt without its payment or refund',
      tenders: 'tenders differ from the order',
    },
  },
  de: {
    dayJoin: 'Vom Umsatz zur Zahlung',
    dayTerm: 'Position',
    dayTerms: {
      net_sales: 'Nettoumsatz',
      tax: 'Steuer',
      shipping: 'Versand',
      fees: 'Einbehaltene Gebühren abzüglich Kulanz',
      deposits: 'Anzahlungen',
      credit: 'Ausgegebenes abzüglich eingelöstes Guthaben',
      due: 'Eingegangene abzüglich neue offene Posten',
      incidents: 'Ausgezahlte Vorfälle',
      without_receipt: 'Aufträge ohne Beleg',
      without_order: 'Belege ohne Auftrag',
      payments: 'Zahlungen netto',
      difference: 'Differenz',
    },
    dayDifferences: 'Zu prüfende Belege',
    dayDocument: 'Beleg',
    dayProblem: 'Problem',
    dayProblems: {
      unassigned: 'keiner Kasse zugeordnet',
      order_without_receipt: 'Auftrag ohne Beleg',
      receipt_without_order: 'Beleg ohne Auftrag',
      receipt_without_document: 'Beleg ohne Zahlung oder Erstattung',
      tenders: 'Zahlungsarten weichen vom Auftrag ab',
    },
  },
} as const;

/** In the order of the equation; the payments are what the terms before them come to. */
const termsInOrder = [
  ...(['net_sales', 'tax', 'shipping', 'fees', 'deposits', 'credit', 'due', 'incidents'] as const),
  ...(['without_receipt', 'without_order'] as const),
] as const satisfies readonly DayTerm[];

/** Shown also where they are zero. */
const always: readonly string[] = ['net_sales', 'tax', 'payments', 'difference'];

/** What the terms of each currency come to, and by how much the payments differ. */
export function dayEquations(rows: readonly { currency: string; term: DayTerm; amount: Amount }[]) {
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => {
    const of = (term: DayTerm) => own.find((row) => row.term === term)?.amount ?? zero;
    const payments = of('payments');
    const expected = add(zero, ...termsInOrder.map(of));
    const lines = [
      ...termsInOrder.map((term) => ({ term, amount: of(term) })),
      { term: 'payments', amount: payments } as const,
      { term: 'difference', amount: subtract(payments, expected) } as const,
    ];
    return { currency, lines };
  });
}

/** Two tables: from sales to payments, and the documents to check. */
export async function dayJoin({ em, lang, w, f }: Visit, request: OfDay): Promise<Html[]> {
  const own = words[lang];
  const [rows, differences] = await Promise.all([joinDay(em, request), findDayDifferences(em, request)]);
  return [
    ...dayEquations(rows).map(({ currency, lines }) =>
      table({
        caption: `${own.dayJoin} (${currency})`,
        heads: [own.dayTerm, `#${w.amount}`],
        rows: lines
          .filter(({ term, amount }) => always.includes(term) || amount !== zero)
          .map(({ term, amount }) => [own.dayTerms[term], f.money(amount, currency)]),
        empty: w.none,
      }),
    ),
    ...(differences.length === 0 ? [] : [differenceTable({ own, w, f }, differences)]),
  ];
}

const differenceTable = (
  { own, w, f }: Pick<Visit, 'w' | 'f'> & { own: (typeof words)[Visit['lang']] },
  differences: readonly DayDifference[],
) =>
  table({
    caption: own.dayDifferences,
    heads: [w.shop, own.dayProblem, own.dayDocument, `#${w.amount}`],
    rows: differences.map(({ shop, kind, document, amount, currency }) => [
      ...[shop ?? w.noShop, own.dayProblems[kind], document, f.money(amount, currency)],
    ]),
    empty: w.none,
  });
