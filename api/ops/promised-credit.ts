import { countPromisedCredit, promisedCredit } from '../../db/ops/promised-credit.ts';
import { paragraph, table } from './html.ts';
import type { OpsPage, PageAnswer, Visit } from './visit.ts';

/** Store credit that a settled refund promised and that is not issued yet. */

const maxShown = 200;

async function showPromised({ em, person, w, f, now }: Visit): Promise<PageAnswer> {
  const rows = await promisedCredit(em, { locationIds: person.locationIds, most: maxShown });
  return {
    title: w.promisedCredit,
    body: [
      ...(rows.length === 0 ? [] : [paragraph(w.promisedCreditHelp)]),
      table({
        caption: w.promisedCredit,
        heads: [w.order, w.customer, w.shop, w.promisedSince, `#${w.promisedAmount}`],
        rows: rows.map((row) => [
          { text: row.orderNumber, href: `/ops/story?q=order-${row.orderId}` },
          row.customer ?? '',
          row.store ?? '',
          f.age(row.since, now),
          f.money(row.amount, row.currency),
        ]),
        empty: w.nonePromised,
      }),
      ...(rows.length === maxShown ? [paragraph(w.more)] : []),
    ],
  };
}

export const promisedCreditPages: readonly OpsPage[] = [
  {
    method: 'GET',
    path: '/store-credit',
    right: { acl: 'Vendor_Pos::locations', staff: ['issue_refunds'] },
    menu: (w) => w.promisedCredit,
    count: ({ em, person }) => countPromisedCredit(em, person),
    handle: showPromised,
  },
];
