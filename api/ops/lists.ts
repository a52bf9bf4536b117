import { codeMarkOf, lastAct } from '../../db/ops/presses.ts';
import {
  allTills,
  auditOps,
  overdueLayaways,
  receiptsWithoutOrder,
  sendMailAgain,
  stuckMails,
  telemetryByDay,
} from '../../db/ops/read-lists.ts';
import { findReceiptDifferences } from '../../db/receipts/receipt-differences.ts';
import { configHash } from '../../db/configuration/config-hash.ts';
import { isEscalation } from '../../db/mails/conclude-mail.ts';
import { saveTerminal } from '../../db/terminals/save-terminal.ts';
import { lockAdvisory } from '../../db/support/lock-advisory.ts';
import { joined, transact } from '../../db/support/transact.ts';
import { invalid } from '../../domain/errors.ts';
import { formatAmount, type Amount } from '../../domain/money.ts';
import { dateAfter, localDateOf } from '../../domain/local-day.ts';
import { capabilitiesOf, installed } from '../wire/register/capabilities.ts';
import { sendMailSoon } from '../temporal/send-mail-soon.ts';
import { card, heading, paragraph, table, barChart, type Cell } from './html.ts';
import { backToDone, doneBefore } from './presses.ts';
import { authorOf, doneBanner, idOrNone, reasoned } from './reasoned.ts';
import { staffPages } from './staff.ts';
import { reasonIn, type OpsPage, type PageAnswer, type Visit } from './visit.ts';

/** Tills, staff, mails, receipts without an order and layaways: what is not as it should be, and what helps. */

const most = 200;

async function showTills(visit: Visit): Promise<PageAnswer> {
  const { em, w, f, now } = visit;
  const today = localDateOf(now, visit.timeZone);
  const [tills, events] = await Promise.all([allTills(em, most), telemetryByDay(em, today)]);
  const days = Array.from({ length: 14 }, (_, index) => dateAfter(today, index - 13));
  const known = days.map((day) => day.slice(5));
  return {
    title: w.tills,
    banners: [
      ...doneBanner(visit),
      ...(await doneBefore(visit, { kind: 'terminal', fields: ['activation_code'], what: () => w.newCode })),
    ],
    body: [
      table({
        caption: w.tills,
        heads: [w.terminal, w.shop, w.lastSeen, w.version, w.configuration, w.licence, w.codeToActivate, ''],
        rows: tills.map((till) => [
          till.isActive ? till.name : `${till.name} (${w.isOff})`,
          till.locationName ?? '',
          till.lastSeenAt === null ? w.never : f.age(till.lastSeenAt, now),
          till.appVersion ?? till.agent ?? w.notTold,
          configurationOf(visit, till),
          [
            wordFor(w.licences, till.licenseType),
            wordFor(w.licences, till.licenseStatus),
            till.licenseEndsAt && f.day(till.licenseEndsAt),
          ]
            .filter(Boolean)
            .join(', '),
          till.activationCode ?? '',
          {
            text: '',
            html: reasoned(visit, `/ops/tills/${till.terminalId}/code`, w.newCode, {
              kind: 'bad',
              hidden: { mark: till.codeMark },
            }),
          },
        ]),
        empty: w.noTills,
      }),
      ...(events.length === 0
        ? []
        : [
            heading(w.telemetry),
            await barChart({
              ...{ caption: w.telemetry, height: 160, labels: known, format: (value) => f.number(value) },
              bars: events.map(({ name, day, count }) => ({ label: day.slice(5), group: name, height: count })),
            }),
          ]),
    ],
  };
}

type Till = Awaited<ReturnType<typeof allTills>>[number];

/** Behind: since its last fetch something was changed that it sees. */
function configurationOf({ w, f, now, parts }: Visit, { versions, configHash: fetched, fetchedAt }: Till): string {
  if (fetched === null || fetchedAt === null) return w.neverFetched;
  const present = configHash({ versions, installed: installed(capabilitiesOf(parts.providers)) });
  return fetched === present ? w.isCurrent : w.isBehind(f.age(fetchedAt, now));
}

/** A new activation code. The form knows the present one: of two presses, one makes a code, which the other keeps. */
async function makeCode(visit: Visit): Promise<PageAnswer> {
  const { em, person } = visit;
  const terminalId = idOrNone(visit, 'terminalId');
  const reason = reasonIn(visit);
  const isDone = await transact(em, async (tx) => {
    await lockAdvisory(tx, `code of terminal ${terminalId}`);
    if ((await codeMarkOf(tx, terminalId)) !== visit.field('mark')) return false;
    await auditOps(tx, { kind: 'terminal', id: terminalId, did: 'asked_new_code', reason, by: person });
    await saveTerminal(joined(tx), terminalId, { regenerateActivationCode: true }, authorOf(visit));
    return true;
  });
  return isDone ? { to: '/ops/tills?done=1' } : backToDone('/ops/tills', terminalId);
}

async function showMails(visit: Visit): Promise<PageAnswer> {
  const { em, w, f } = visit;
  const mails = await stuckMails(em, most);
  return {
    title: w.mails,
    banners: [
      ...doneBanner(visit),
      ...(await doneBefore(visit, { kind: 'mail', fields: ['send_again'], what: () => w.sendAgain })),
    ],
    body: [
      table({
        caption: w.stuckMails,
        heads: [w.stories.what, w.mailAbout, w.mailTo, w.stories.when, w.status, w.reason, `#${w.tries}`, ''],
        rows: mails.map((mail) => [
          `${w.mailKinds[mail.kind]} ${mail.mailId}`,
          aboutOf(visit, mail),
          recipientOf(visit, mail),
          f.moment(mail.createdAt),
          w.mailStates[mail.state],
          mail.reason === null ? '' : withCode(w.mailReasons, mail.reason),
          f.number(mail.tries),
          mail.canGoAgain
            ? { text: '', html: reasoned(visit, `/ops/mails/${mail.mailId}/again`, w.sendAgain) }
            : w.cannotGoAgain,
        ]),
        empty: w.noMails,
      }),
    ],
  };
}

type StuckMail = Awaited<ReturnType<typeof stuckMails>>[number];

/** The return or the order that a mail is about. */
function aboutOf({ w }: Visit, { orderId, orderNumber, returnId, returnNumber }: StuckMail): Cell | string {
  if (returnId !== null) return { text: `${w.return} ${returnNumber ?? ''}`, href: `/ops/returns/${returnId}` };
  if (orderId !== null) return { text: `${w.order} ${orderNumber ?? ''}`, href: `/ops/story?q=order-${orderId}` };
  return '';
}

/** A customer's address is masked: whoever must know it opens the order. One's own alarms name their address. */
function recipientOf({ w, parts }: Visit, { kind, mailKey, email }: StuckMail): string {
  if (email !== null) return email.replace(/^(.)[^@]*/, '$1…');
  if (kind !== 'uncertain_refund') return kind === 'endpoint_paused' ? w.operators : w.onlyTheMailKnows;
  const { REFUND_ALERT_EMAIL: alarms, REFUND_ESCALATION_EMAIL: escalations } = parts.settings;
  return (isEscalation(mailKey) ? escalations : undefined) ?? alarms ?? w.operators;
}

/** What stands in the books in the reader's words; as it is where an earlier version wrote it. */
const wordFor = (reply: Readonly<Record<string, string>>, code: string | null): string | null =>
  code === null ? null : (reply[code] ?? code);

/** With the code, for whoever looks it up. */
const withCode = (reply: Readonly<Record<string, string>>, code: string): string =>
  reply[code] === undefined ? code : `${reply[code]} (${code})`;

async function mailAgain(visit: Visit): Promise<PageAnswer> {
  const { em, person, parts } = visit;
  const mailId = idOrNone(visit, 'mailId');
  if (!(await sendMailAgain(em, { mailId, reason: reasonIn(visit), by: person }))) {
    if (await lastAct(em, { kind: 'mail', id: mailId, fields: ['send_again'] }))
      return backToDone('/ops/mails', mailId);
    throw invalid(visit.w.cannotGoAgain);
  }
  sendMailSoon(mailId, parts);
  return { to: '/ops/mails?done=1' };
}

/** The days whose receipts are compared with their orders; the CLI compares more. */
const comparedDays = 7;

async function showReceipts({ em, w, f, now }: Visit): Promise<PageAnswer> {
  const [receipts, differences] = await Promise.all([
    receiptsWithoutOrder(em, most),
    findReceiptDifferences(em, { days: comparedDays, limit: most }),
  ]);
  return {
    title: w.receipts,
    body: [
      ...receipts.map((one) =>
        card(
          {
            title: one.posOrderId,
            aside: one.grandTotal === null ? '' : f.money(one.grandTotal, one.currency ?? ''),
          },
          paragraph([one.staffName, one.terminalName, one.locationName].filter((word) => word !== null).join(', ')),
          paragraph(`${one.paymentMethod ?? ''} · ${f.age(one.storedAt, now)}`),
          paragraph(one.orderIncrementId === null ? w.letItSend : w.lookForNumber(one.orderIncrementId)),
        ),
      ),
      ...(receipts.length === 0 ? [paragraph(w.allReceipts, 'empty')] : []),
      ...(receipts.length === most ? [paragraph(w.more)] : []),
      table({
        caption: w.differences,
        heads: [w.stories.when, w.receipt, `#${w.amount}`, w.order, `#${w.amount}`, w.says],
        rows: differences.map((one) => [
          f.moment(one.at),
          one.saleId ?? '',
          one.receiptTotal === null ? '' : exact(one.receiptTotal, one.receiptCurrency),
          one.orderId === null
            ? (one.orderNumber ?? '')
            : { text: one.orderNumber ?? '', href: `/ops/story?q=order-${one.orderId}` },
          one.orderTotal === null ? '' : exact(one.orderTotal, one.orderCurrency),
          one.kind === 'total' ? w.totalsDiffer : w.finerThanCoin,
        ]),
        empty: w.noDifferences,
      }),
      ...(differences.length === 0 ? [] : [paragraph(w.storedAsSent)]),
      ...(differences.length === most ? [paragraph(w.more)] : []),
    ],
  };
}

/** As it was sent: a figure in coins would hide what is finer. */
const exact = (value: Amount, currency: string | null) => `${formatAmount(value)} ${currency ?? ''}`.trim();

async function showLayaways({ em, person, w, f, now }: Visit): Promise<PageAnswer> {
  const rows = await overdueLayaways(em, { locationIds: person.locationIds, most });
  return {
    title: w.layaways,
    body: [
      table({
        caption: w.overdue,
        heads: [w.order, w.customer, w.shop, w.overFor, `#${w.owed}`, `#${w.amount}`],
        rows: rows.map((one) => [
          { text: one.orderNumber, href: `/ops/story?q=order-${one.orderId}` },
          one.customer ?? '',
          one.shop ?? '',
          one.expiresAt === null ? '' : f.age(one.expiresAt, now),
          f.money(one.owed, one.currency),
          f.money(one.total, one.currency),
        ]),
        empty: w.noneOverdue,
      }),
      ...(rows.length === most ? [paragraph(w.more)] : []),
    ],
  };
}

const admins = (acl: string) => ({ acl, staff: [] }) as const;
const tills = admins('Vendor_Pos::locations_manage');
const receipts = admins('Vendor_Pos::receipts');

export const listPages: readonly OpsPage[] = [
  { method: 'GET', path: '/tills', right: tills, menu: (w) => w.tills, handle: showTills },
  { method: 'POST', path: '/tills/:terminalId/code', right: tills, handle: makeCode },
  ...staffPages,
  { method: 'GET', path: '/mails', right: receipts, menu: (w) => w.mails, handle: showMails },
  { method: 'POST', path: '/mails/:mailId/again', right: receipts, handle: mailAgain },
  { method: 'GET', path: '/receipts', right: receipts, menu: (w) => w.receipts, handle: showReceipts },
  {
    ...{ method: 'GET', path: '/layaways', menu: (w) => w.layaways, handle: showLayaways },
    right: { acl: 'Vendor_Pos::locations', staff: ['issue_refunds'] },
  },
];
