import { english } from '../../books/explain/english-story.ts';
import { explainOrder } from '../../books/explain/explain-order.ts';
import { explainRefund, explainReturn } from '../../books/explain/explain-refund.ts';
import { german } from '../../books/explain/german-story.ts';
import type { Story, Way } from '../../books/explain/story.ts';
import type { StoryWords } from '../../books/explain/english-story.ts';
import { findMoney, ledgerOf, movesOf, type FoundMoney, type MoneyMove } from '../../db/ops/find-money.ts';
import { zoneOfOrder } from '../../db/ops/read-day.ts';
import { add, money, zero } from '../../domain/money.ts';
import { escaped, facts, figure, form, heading, linked, paragraph, table, timeline, type Html } from './html.ts';
import { visitIn, type OpsPage, type PageAnswer, type Visit } from './visit.ts';

/** The story of money, found by any number in hand: a timeline in words, and a drawing of money in and out. */

const storyRight = { acl: 'Vendor_Pos::locations', staff: ['issue_refunds', 'approve_rma'] } as const;

async function showStory(visit: Visit): Promise<PageAnswer> {
  const { em, person, w, query } = visit;
  const input = (query.get('q') ?? '').trim().slice(0, 255);
  const search = form({
    ...{ action: '/ops/story', method: 'get', kind: 'search' },
    fields: [{ name: 'q', label: w.stories.search, help: w.stories.searchHelp, type: 'search', value: input }],
    buttons: [{ text: w.stories.find, kind: 'main' }],
  });
  if (input === '') return { title: w.story, body: [search] };
  const found = once(await findMoney(em, { given: input, locationIds: person.locationIds }));
  const [only] = found;
  if (!only) return { title: w.story, status: 404, body: [search, paragraph(w.stories.nothing, 'empty')] };
  return found.length === 1 ? storyOf(visit, only, search) : { title: w.story, body: [search, listOf(visit, found)] };
}

/** An order that several of its numbers lead to is one. */
const once = (found: readonly FoundMoney[]): FoundMoney[] =>
  found.filter((one, at) => found.findIndex(({ kind, id }) => kind === one.kind && id === one.id) === at);

const listOf = ({ w, f }: Visit, found: readonly FoundMoney[]) =>
  table({
    caption: w.stories.several,
    heads: [w.stories.number, w.stories.what, w.stories.when, `#${w.amount}`],
    rows: found.map(({ kind, id, number, at, amount, currency }) => [
      { text: number, href: `/ops/story?q=${kind}-${id}` },
      w.kinds[kind],
      f.moment(at),
      amount === null || currency === null ? '' : f.money(amount, currency),
    ]),
    empty: w.stories.nothing,
  });

/** A page about one order tells its times as the order's own shop does. */
export async function visitOfOrder(visit: Visit, orderId: number): Promise<Visit> {
  return visitIn(visit, (await zoneOfOrder(visit.em, orderId)) ?? visit.timeZone);
}

async function storyOf(request: Visit, found: FoundMoney, search: Html): Promise<PageAnswer> {
  const { kind, id, number, orderId } = found;
  const visit = orderId === null ? request : await visitOfOrder(request, orderId);
  const { em, w } = visit;
  if (kind === 'wallet' || kind === 'gift_card') return ledgerStory(visit, found, search);
  // A receipt without an order has a page of its own; one with an order tells the order's story.
  if (kind === 'receipt' && orderId === null)
    return { title: `${w.kinds.receipt} ${number}`, body: [search, paragraph(w.receiptAlone)] };
  const story = await reportedOf(visit, { kind, id, orderId });
  const moves = orderId === null ? [] : await movesOf(em, orderId);
  return {
    title: story.title,
    timeZone: visit.timeZone,
    body: [
      search,
      ...story.facts.map((fact) => paragraph(fact)),
      ...(moves.length === 0 ? [] : [heading(w.stories.money), drawing(visit, moves)]),
      facts(story.totals.map(({ what, amount }) => ({ name: what, value: amount }))),
      ...happened(visit, story),
      heading(w.stories.next),
      ...waysOn(visit, story),
    ],
  };
}

/** What can be done, with the page that has the button; a request to the API is nothing for a reader here. */
export const waysOn = ({ w }: Visit, { ways }: Story): Html[] =>
  ways.map(({ says, how, page }: Way) => {
    if (how === undefined) return paragraph(says);
    if (page === undefined) return paragraph(`${says}.`);
    const [text, href] =
      page.kind === 'return'
        ? [w.returnPage, `/ops/returns/${page.id}`]
        : page.kind === 'doubts'
          ? [w.doubts, '/ops']
          : [w.layaways, '/ops/layaways'];
    return linked(`${says}:`, { text, href });
  });

/** The timeline of a story, in its own words. */
export const happened = ({ w, f, lang }: Visit, { events }: Story): Html[] => [
  heading(w.stories.happened),
  timeline(
    lang,
    events.map(({ at, what, amount, who, workflow }) => ({
      ...{ at, what, amount: amount ?? '', shown: f.moment(new Date(at)) },
      beside: [who, workflow].filter((one) => one !== null).join(' · '),
    })),
  ),
];

/** The same words as `pos explain`; in German, where the page is German. */
export async function reportedOf(
  { em, parts, lang, w, f }: Visit,
  found: Pick<FoundMoney, 'kind' | 'id' | 'orderId'>,
): Promise<Story> {
  const canLookUp = async (payment: { storeId: number; paymentMethod: string }) =>
    (await parts.providers.gatewayFacts.for(payment))?.canLookUp ?? false;
  const shown: Partial<StoryWords> = {
    amount: (stored, currency) => f.money(money(stored), currency),
    method: (code) => w.tenders[code] ?? code,
    outcomeCode: (code) => w.outcomes[code] ?? code,
    clock: (iso) => f.clock(new Date(iso)),
    day: (iso) => f.day(new Date(iso)),
    moment: (iso) => f.moment(new Date(iso)),
  };
  const reported = lang === 'de' ? german : english;
  // A status has one name on all pages.
  const changed: StoryWords['changed'] = (field, before, after) =>
    reported.changed(field, w.statuses[before] ?? before, w.statuses[after] ?? after);
  const telling = { canLookUp, w: { ...reported, ...shown, changed } };
  if (found.kind === 'return') return explainReturn(em, `return-${found.id}`, telling);
  if (found.kind === 'refund') return explainRefund(em, `refund-${found.id}`, telling);
  return explainOrder(em, `order-${found.orderId ?? found.id}`, telling);
}

async function ledgerStory(visit: Visit, { kind, id, number, amount, currency }: FoundMoney, search: Html) {
  const { em, w, f } = visit;
  const entries = await ledgerOf(em, kind === 'wallet' ? 'wallet' : 'gift_card', id);
  const unit = currency ?? '';
  const sumOf = (direction: 'in' | 'out') =>
    add(zero, ...entries.map(({ delta }) => delta).filter((delta) => (direction === 'in' ? delta > 0 : delta < 0)));
  const moves = [
    { tender: kind, direction: 'in' as const, amount: sumOf('in'), currency: unit },
    { tender: kind, direction: 'out' as const, amount: sumOf('out'), currency: unit },
  ];
  return {
    title: `${w.kinds[kind]} ${number}`,
    body: [
      search,
      facts([{ name: w.balance, value: amount === null ? '' : f.money(amount, unit) }]),
      ...(entries.length === 0 ? [] : [drawing(visit, moves)]),
      table({
        caption: w.stories.happened,
        heads: [w.stories.when, w.reason, w.order, `#${w.amount}`, `#${w.balance}`],
        rows: entries.map((entry) => [
          f.moment(entry.at),
          entry.reason,
          entry.orderNumber === null ? '' : { text: entry.orderNumber, href: `/ops/story?q=${entry.orderNumber}` },
          f.money(entry.delta, unit),
          f.money(entry.balanceAfter, unit),
        ]),
        empty: w.none,
      }),
    ],
  };
}

const half = 150;

const rowHeight = 58;

/** Bars from the middle: money in to the right, money out to the left. All bars have one scale. */
export function drawing({ w, f }: Pick<Visit, 'w' | 'f'>, moves: readonly MoneyMove[]): Html {
  const tenders = [...new Set(moves.map(({ tender }) => tender))];
  const most = Math.max(1, ...moves.map(({ amount }) => Math.abs(amount)));
  const height = tenders.length * rowHeight + 8;
  const reply: string[] = [];
  const rows = tenders.map((tender, at) => {
    const top = at * rowHeight + 4;
    const bars = moves
      .filter((move) => move.tender === tender)
      .map(({ direction, amount, currency }) => {
        const isIn = direction === 'in';
        const wide = Math.max(amount === 0 ? 0 : 2, Math.round((Math.abs(amount) / most) * (half - 8)));
        const sum = f.money(amount, currency);
        reply.push(`${w.tenders[tender] ?? tender}: ${sum} ${isIn ? w.stories.moneyIn : w.stories.moneyOut}`);
        const x = isIn ? half : half - wide;
        return `<rect class="${direction}" x="${x}" y="${top + 20}" width="${wide}" height="14" rx="2"/><text class="word" x="${isIn ? half + 4 : half - 4}" y="${top + 48}" text-anchor="${isIn ? 'start' : 'end'}">${escaped(`${isIn ? '+' : '−'} ${sum.replace(/^[-−]/, '')}`)}</text>`;
      });
    return `<text class="word" x="2" y="${top + 14}">${escaped(w.tenders[tender] ?? tender)}</text>${bars.join('')}`;
  });
  const svg = `<svg role="img" aria-label="${escaped(reply.join('; '))}" viewBox="0 0 ${2 * half} ${height}" width="${2 * half}" xmlns="http://www.w3.org/2000/svg"><line class="axis" x1="${half}" x2="${half}" y1="18" y2="${height}"/>${rows.join('')}</svg>`;
  return figure(svg, w.stories.inAndOut);
}

export const storyPages: readonly OpsPage[] = [
  { method: 'GET', path: '/story', right: storyRight, menu: (w) => w.story, handle: showStory },
];
