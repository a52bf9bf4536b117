import { auditOps } from '../../db/ops/read-lists.ts';
import { approveClosing } from '../../db/register-sessions/approve-closing.ts';
import { cashOf } from '../../db/register-sessions/read-closings.ts';
import { readDrawers, type DrawersSeen } from '../../db/register-sessions/read-drawers.ts';
import { parseAmount, type Amount } from '../../domain/money.ts';
import { table, type Html } from './html.ts';
import { doneBefore } from './presses.ts';
import { doneBanner, idOrNone, reasoned } from './reasoned.ts';
import { reasonIn, type OpsPage, type PageAnswer, type Visit } from './visit.ts';

/** Drawers: what is open, what waits for a second person, and what was closed. Open drawers show no cash. */

async function showDrawers(visit: Visit): Promise<PageAnswer> {
  const { em, w, person } = visit;
  const seen = await readDrawers(em, person.locationIds);
  return {
    title: w.drawers,
    banners: [
      ...doneBanner(visit),
      ...(await doneBefore(visit, { kind: 'closing_approval', fields: ['approved'], what: () => w.approve })),
    ],
    body: [pendingTable(visit, seen), openTable(visit, seen), closedTable(visit, seen)],
  };
}

const pendingTable = (visit: Visit, { pending }: DrawersSeen): Html =>
  table({
    caption: visit.w.differencesToApprove,
    heads: [visit.w.drawer, visit.w.terminal, visit.w.countedAt, ''],
    rows: pending.map(({ approval, session }) => [
      String(session.drawerId),
      String(session.terminalId),
      visit.f.moment(approval.createdAt),
      {
        text: '',
        html: visit.person.may(approving)
          ? reasoned(visit, `/ops/drawers/approvals/${approval.approvalId}`, visit.w.approve)
          : ('' as Html),
      },
    ]),
    empty: visit.w.nothingToApprove,
  });

const openTable = ({ w, f }: Visit, { open }: DrawersSeen): Html =>
  table({
    caption: w.openDrawers,
    heads: [w.drawer, w.terminal, w.openedAt, w.status],
    rows: open.map((one) => [
      `${one.drawerName} (${one.drawerId})`,
      String(one.terminalId),
      f.moment(one.openedAt),
      one.state === 'counted' ? w.isCounted : w.isOpen,
    ]),
    empty: w.none,
  });

const closedTable = ({ w, f }: Visit, { closings }: DrawersSeen): Html =>
  table({
    caption: w.closings,
    heads: ['#', w.drawer, w.closedAt, `#${w.expected}`, `#${w.counted}`, `#${w.overShort}`],
    rows: closings.flatMap((closing) =>
      cashOf(closing).map((line) => {
        const shown = (figure: number | null) => (figure === null ? '–' : f.money(amountOf(figure), line.currency));
        return [
          String(closing.number),
          `${closing.drawerName} (${closing.drawerId})`,
          f.moment(closing.closedAt),
          ...[shown(line.expected), line.counted === null ? w.closedByNight : shown(line.counted)],
          shown(line.over_short),
        ];
      }),
    ),
    empty: w.none,
  });

/** Figures of a closing have at most four decimals. */
const amountOf = (figure: number): Amount => parseAmount(figure.toFixed(4)) ?? (0 as Amount);

async function approve(visit: Visit): Promise<PageAnswer> {
  const { em, person } = visit;
  const approvalId = idOrNone(visit, 'approvalId');
  const reason = reasonIn(visit);
  const { account, email, name, locationIds } = person;
  const isDone = await approveClosing(em, {
    ...{ approvalId, approver: { account, email, name }, locationIds },
    record: (tx) => auditOps(tx, { kind: 'closing_approval', id: approvalId, did: 'approved', reason, by: person }),
  });
  return { to: isDone ? '/ops/drawers?done=1' : `/ops/drawers?before=${approvalId}` };
}

const right = { acl: 'Vendor_Pos::locations', staff: ['view_register_history', 'close_register'] } as const;
const approving = { acl: 'Vendor_Pos::locations', staff: ['close_register'] } as const;

export const drawerPages: readonly OpsPage[] = [
  { method: 'GET', path: '/drawers', right, menu: (w) => w.drawers, handle: showDrawers },
  { method: 'POST', path: '/drawers/approvals/:approvalId', right: approving, handle: approve },
];
