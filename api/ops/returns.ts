import { randomUUID } from 'node:crypto';
import {
  auditOps,
  linesToRefund,
  oldestReturns,
  outcomeOfReturn,
  returnSeen,
  shopsOf,
  type OpenReturn,
} from '../../db/ops/read-lists.ts';
import { previewRefund } from '../../db/refunds/preview-refund.ts';
import { invalid, notPermitted, PosError } from '../../domain/errors.ts';
import { fillIn, inWords } from '../../domain/fill-in.ts';
import { pressOnReturn, type PressOnReturn } from '../../db/ops/presses.ts';
import { idIn } from '../../domain/ids.ts';
import { zero } from '../../domain/money.ts';
import { plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { settleMethods } from '../../domain/returns/resolution.ts';
import { canSettle, isTerminal, movesByHand } from '../../domain/returns/return-status.ts';
import { createArgumentReader } from '../http/arguments.ts';
import { aclOf, mayCall, routeContextOf } from '../http/route-context.ts';
import type { Caller } from '../http/route.ts';
import { adminScope } from '../http/store-scopes.ts';
import { facts, form, heading, notice, paragraph, table, type Banner, type Field, type Html } from './html.ts';
import { changedNothing } from './presses.ts';
import { happened, reportedOf, visitOfOrder } from './story.ts';
import { reasonIn, type OpsPage, type PageAnswer, type Right, type Visit } from './visit.ts';

interface RouteCall {
  method: string;
  /** As the list of routes has it, with its variables by name. */
  path: string;
  params: Readonly<Record<string, string | number>>;
  body?: Readonly<Record<string, unknown>>;
}

/** A name for what a form asks: the same for every click on it. */
const onceOf = (visit: Visit): string => {
  const input = visit.field('once');
  return /^[0-9a-f-]{36}$/.test(input) ? input : randomUUID();
};

/**
 * Carries out a route of the API for the signed-in person, so that a button and a register ask in the same way. A
 * second click on a button is a repeat of the first.
 *
 * Refused as the route refuses, and with 401 where an administrator lacks its resource.
 */
async function runRoute(visit: Visit, key: string, { method, path, params, body = {} }: RouteCall): Promise<unknown> {
  const { parts, em, now, requestId, incoming, clientAddress } = visit;
  const route = parts.routes.find((one) => one.method === method && one.path === path);
  if (!route) throw new Error(`there is no route ${method} ${path}`);
  const caller = callerOf(visit);
  if (!mayCall(caller, route)) throw notPermitted(aclOf(route));
  const operation = {
    ...{ key, isNamed: true, madeBefore: null },
    made: async () => undefined,
    leaveOpen: () => undefined,
  };
  return route.handle(
    routeContextOf({
      ...{ parts, caller, now, ahead: undefined, store: adminScope, within: { em, operation } },
      request: { incoming, requestId, setHeader: () => undefined },
      input: createArgumentReader(route)({ path: params, query: {}, body }),
      clientAddress: () => clientAddress,
    }),
  );
}

/** A member of the staff was let in by the page's own right; an administrator needs the route's resource as well. */
function callerOf({ person }: Visit): Caller {
  const { userKind, userId, name } = person;
  const isAdmin = userKind === 'admin';
  return {
    userType: isAdmin ? 'admin' : 'integration',
    userId: isAdmin ? userId : 0,
    name,
    can: (acl) => acl === 'anonymous' || !isAdmin || person.may({ acl, staff: [] }),
  };
}

/** Returns that are not over, each with its story and its next step. A button asks as a register does. */

const mostShown = 100;
const acl = 'Vendor_Pos::locations';
const right = { acl, staff: ['issue_refunds', 'approve_rma'] } as const;

const path = '/V1/pos/rma/:rmaId';

/** What a person can do about a return, by whom, and from which status on. */
interface Step {
  right: Right;
  isNext: (rma: OpenReturn) => boolean;
  fields?: (visit: Visit, rma: OpenReturn) => Promise<readonly Field[]>;
  /** What pressing the button will do, as far as it is known before. */
  before?: (visit: Visit, rma: OpenReturn) => Promise<readonly Html[]>;
  ask: (visit: Visit, rma: OpenReturn, reason: string) => RouteCall;
  kind?: 'good' | 'bad';
}

const refunds: Right = { acl, staff: ['issue_refunds'] };
const approvals: Right = { acl, staff: ['approve_rma'] };

const status = (word: 'approved' | 'rejected'): Step => ({
  right: approvals,
  isNext: (rma) => movesByHand[rma.status].includes(word) && rma.status !== 'approved',
  ask: (_visit, rma, comment) => ({
    ...{ method: 'PUT', path: `${path}/status`, params: { rmaId: rma.returnId } },
    body: { status: word, comment },
  }),
  kind: word === 'approved' ? 'good' : 'bad',
});

/** In the order of a return's life: the first that can be done is the next step. */
const steps = {
  approve: status('approved'),
  receive: {
    right: approvals,
    isNext: (rma) => rma.status === 'approved',
    async fields({ em, person, w }, rma) {
      const shops = await shopsOf(em, { locationIds: person.locationIds });
      const options = shops.map(({ locationId, name }) => ({
        ...{ value: String(locationId), text: name, isChosen: locationId === rma.locationId },
      }));
      return [{ name: 'locationId', label: w.shop, options, isRequired: true }];
    },
    ask: (visit, rma) => ({
      ...{ method: 'POST', path: `${path}/receive`, params: { rmaId: rma.returnId } },
      body: {
        itemsJson: JSON.stringify(rma.lines.map(({ id }) => ({ rma_item_id: id }))),
        locationId: shopIn(visit),
      },
    }),
    kind: 'good',
  },
  settle: {
    right: refunds,
    isNext: (rma) => canSettle(rma.status),
    async fields({ w }, rma) {
      const options = settleMethods.map((value) => ({
        ...{ value, text: w.methods[value], isChosen: value === rma.refundMethod },
      }));
      return [{ name: 'method', label: w.means, help: w.settleHelp, options, isRequired: true }];
    },
    before: showPreview,
    ask: (visit, rma) => ({
      ...{ method: 'POST', path: `${path}/settle`, params: { rmaId: rma.returnId } },
      body: { method: visit.field('method') },
    }),
    kind: 'good',
  },
  'cancel-refund': {
    right: refunds,
    isNext: (rma) => rma.status === 'awaiting_refund',
    ask: (_visit, rma, comment) => ({
      ...{ method: 'POST', path: `${path}/cancel-refund`, params: { rmaId: rma.returnId }, body: { comment } },
    }),
  },
  reject: status('rejected'),
  close: {
    right: approvals,
    isNext: (rma) => !isTerminal(rma.status),
    ask: (_visit, rma, comment) => ({
      ...{ method: 'POST', path: `${path}/close`, params: { rmaId: rma.returnId }, body: { comment } },
    }),
    kind: 'bad',
  },
} satisfies Record<string, Step>;

/** The sum that would go back now, from the same figures as the settlement itself. */
async function showPreview({ em, w, f }: Visit, rma: OpenReturn): Promise<Html[]> {
  try {
    const items = await linesToRefund(em, rma.returnId);
    const { currencyCode, refund, handback, legs } = await previewRefund(em.fork(), {
      ...{ orderId: rma.orderId, items, options: plainSettlement },
    });
    const shown = (name: string, amount: typeof zero) => ({ name, value: f.money(amount, currencyCode) });
    return [
      facts([
        shown(w.willGoBack, refund.order),
        ...legs.map(({ kind, amount }) => shown(w.ofThatAs(w.creditKinds[kind]), amount)),
        ...(legs.length === 0 ? [] : [shown(w.ofThatByMeans, handback.order)]),
      ]),
    ];
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    return [notice({ kind: 'bad', text: `${w.noPreview} ${fillIn(error.message, error.parameters)}` })];
  }
}

type Verb = keyof typeof steps;
const verbs = Object.keys(steps) as Verb[];
const stepOf = (verb: Verb): Step => steps[verb];

/** A shop of the person's own: goods go nowhere else. */
function shopIn(visit: Visit): number {
  const id = idIn(visit.field('locationId'));
  const { locationIds } = visit.person;
  if (id === undefined || (locationIds !== null && !locationIds.includes(id))) throw invalid(visit.w.notThere);
  return id;
}

const stepsFor = (visit: Visit, rma: OpenReturn): Verb[] =>
  rma.doubt !== null || !rma.isReady
    ? []
    : verbs.filter((verb) => stepOf(verb).isNext(rma) && visit.person.may(stepOf(verb).right));

async function listReturns(visit: Visit): Promise<PageAnswer> {
  const { em, person, w, f, now } = visit;
  const rows = await oldestReturns(em, { locationIds: person.locationIds, most: mostShown });
  return {
    title: w.returns,
    body: [
      table({
        caption: w.openReturns,
        heads: [w.return, w.order, w.shop, w.status, w.age, w.nextStep],
        rows: rows.map((rma) => {
          const [next] = stepsFor(visit, rma);
          return [
            { text: rma.incrementId, href: `/ops/returns/${rma.returnId}` },
            { text: rma.orderNumber, href: `/ops/story?q=order-${rma.orderId}` },
            rma.locationName ?? '',
            w.statuses[rma.status] ?? rma.status,
            f.age(rma.createdAt, now),
            next === undefined
              ? rma.doubt === null
                ? ''
                : w.isInDoubt
              : { text: '', html: stepButton(rma, w.verbs[next]) },
          ];
        }),
        empty: w.noReturns,
      }),
      ...(rows.length === mostShown ? [paragraph(w.more)] : []),
    ],
  };
}

/** It leads to the form of the step, which asks for a reason. */
const stepButton = ({ returnId, incrementId }: OpenReturn, text: string): Html =>
  form({ action: `/ops/returns/${returnId}`, method: 'get', buttons: [{ text, says: `${text}: ${incrementId}` }] });

async function seenOrNone({ em, person, params, w }: Visit): Promise<OpenReturn> {
  const returnId = idIn(params['returnId']);
  const rma = returnId === undefined ? undefined : await returnSeen(em, { returnId, locationIds: person.locationIds });
  if (!rma) throw invalid(w.notThere);
  return rma;
}

async function showReturn(requested: Visit): Promise<PageAnswer> {
  const rma = await seenOrNone(requested);
  const visit = await visitOfOrder(requested, rma.orderId);
  const { parts, em, w, f, now } = visit;
  const [outcome, story, forms] = await Promise.all([
    outcomeOfReturn(em, rma.returnId),
    reportedOf(visit, { kind: 'return', id: rma.returnId, orderId: rma.orderId }),
    Promise.all(stepsFor(visit, rma).map((verb) => formOf(visit, rma, verb))),
  ]);
  const { TEMPORAL_UI_URL: ui, TEMPORAL_NAMESPACE: namespace } = parts.settings;
  const workflow = `return-${rma.returnId}`;
  return {
    title: `${w.return} ${rma.incrementId}`,
    timeZone: visit.timeZone,
    banners: await pressBanners(visit, rma, outcome),
    body: [
      facts([
        { name: w.status, value: w.statuses[rma.status] ?? rma.status },
        { name: w.age, value: f.age(rma.createdAt, now) },
        { name: w.shop, value: rma.locationName ?? '' },
        { name: w.order, value: rma.orderNumber, href: `/ops/story?q=order-${rma.orderId}` },
        { name: w.cameIn, value: cameIn(outcome) },
        { name: w.givenBack, value: handedBack(visit, outcome) },
        ui === undefined
          ? undefined
          : {
              name: w.workflow,
              value: workflow,
              href: `${ui}/namespaces/${namespace}/workflows/${workflow}`,
              isOutside: true,
            },
      ]),
      table({
        caption: w.goods,
        heads: [w.article, 'SKU', `#${w.pieces}`],
        rows: rma.lines.map(({ name, sku, qty }) => [name, sku, f.number(Number(qty))]),
        empty: w.none,
      }),
      ...(rma.doubt === null ? [] : [notice({ kind: 'info', text: w.isInDoubt })]),
      ...(forms.length === 0 ? [] : [heading(w.nextStep), ...forms]),
      ...happened(visit, story),
    ],
  };
}

type Outcome = Awaited<ReturnType<typeof outcomeOfReturn>>;

const cameIn = (outcome: Outcome): string =>
  (outcome?.cameIn ?? []).map(({ name, qty }) => `${Number(qty)} × ${name}`).join(', ');

/** `54.00 $, credit memo 000000012`; what went back as credit with it. */
function handedBack({ w, f }: Visit, outcome: Outcome): string {
  if (outcome?.memoNumber == null) return '';
  const { givenBack: sum, asCredit, currency, memoNumber } = outcome;
  const all = sum ?? zero;
  const credit = asCredit === zero ? '' : ` (${w.asCredit(f.money(asCredit, currency))})`;
  return `${f.money(all, currency)}${credit}, ${w.memo} ${memoNumber}`;
}

/** After a press: what it did, or who had done what before it. */
async function pressBanners(visit: Visit, rma: OpenReturn, outcome: Outcome): Promise<Banner[]> {
  const { em, w, query } = visit;
  if (!query.has('done')) return [];
  const press = await pressOnReturn(em, { returnId: rma.returnId, key: query.get('press') ?? '' });
  if (press?.isOwn !== false) return [{ kind: 'good', text: [w.done, doneInWords(visit, outcome)].join(' ').trim() }];
  return [changedNothing(visit, { ...press, what: lastChangeInWords(visit, press, outcome) })];
}

/** `given back: US$77.00, credit memo 000000012, cash`; without a refund the status. */
function lastChangeInWords(visit: Visit, { status, tender }: PressOnReturn, outcome: Outcome): string {
  const { w } = visit;
  const as = w.statuses[status] ?? status;
  if (outcome?.memoNumber == null) return as;
  return [as, `${w.givenBack} ${handedBack(visit, outcome)}`, tender === null ? '' : (w.tenders[tender] ?? tender)]
    .filter((part) => part !== '')
    .join(', ');
}

/** After a step: what it did. */
function doneInWords(visit: Visit, outcome: Outcome): string {
  const { w, query } = visit;
  if (query.get('done') === 'settle')
    return outcome?.memoNumber == null ? '' : `${w.givenBack}: ${handedBack(visit, outcome)}.`;
  return query.get('done') === 'receive' && cameIn(outcome) !== '' ? `${w.cameIn}: ${cameIn(outcome)}.` : '';
}

async function formOf(visit: Visit, rma: OpenReturn, verb: Verb): Promise<Html> {
  const { w } = visit;
  const step = stepOf(verb);
  const more = (await step.fields?.(visit, rma)) ?? [];
  const before = (await step.before?.(visit, rma)) ?? [];
  const own = form({
    action: `/ops/returns/${rma.returnId}/${verb}`,
    csrf: visit.csrf,
    fields: [...more, { name: 'reason', label: `${w.verbs[verb]}: ${w.reason}`, isRequired: true, most: 1_000 }],
    buttons: [{ text: w.verbs[verb], ...(step.kind === undefined ? {} : { kind: step.kind }) }],
  });
  return [...before, own].join('\n') as Html;
}

/** Carries a step out by the route that a register would call: by the return's own workflow. */
async function takeStep(visit: Visit): Promise<PageAnswer> {
  const { em, person, w, params } = visit;
  const rma = await seenOrNone(visit);
  const verb = verbs.find((one) => one === params['verb']);
  if (verb === undefined || !person.may(stepOf(verb).right)) throw invalid(w.notAllowed);
  const reason = reasonIn(visit);
  const call = stepOf(verb).ask(visit, rma, reason);
  await visit.parts.workflows.refuseWhileAway();
  await auditOps(em, { kind: 'return', id: rma.returnId, did: `asked_${verb}`, reason, by: person });
  const key = onceOf(visit);
  try {
    await runRoute(visit, key, call);
  } catch (error) {
    return await refusedStep(visit, rma, { key, error });
  }
  return { to: `/ops/returns/${rma.returnId}?done=${verb}&press=${key}` };
}

/** A refused step, and who changed the return since its form was shown, where that is why. Throws all other errors. */
async function refusedStep(
  visit: Visit,
  before: OpenReturn,
  { key, error }: { key: string; error: unknown },
): Promise<PageAnswer> {
  const { em, w } = visit;
  if (!(error instanceof PosError) || error.status >= 500) throw error;
  const { returnId, incrementId } = before;
  const [press, outcome] = await Promise.all([pressOnReturn(em, { returnId, key }), outcomeOfReturn(em, returnId)]);
  // The form of a step is only on a page where it is possible: a change since then is another person's.
  const isOvertaken = press !== undefined && press.by !== null && !press.isOwn;
  return {
    title: `${w.return} ${incrementId}`,
    status: error.status,
    body: [
      notice({ kind: 'bad', text: inWords(error.refusal) }),
      ...(isOvertaken
        ? [notice(changedNothing(visit, { ...press, what: lastChangeInWords(visit, press, outcome) }))]
        : []),
      form({ action: `/ops/returns/${returnId}`, method: 'get', buttons: [{ text: w.goOn, kind: 'main' }] }),
    ],
  };
}

export const returnPages: readonly OpsPage[] = [
  { method: 'GET', path: '/returns', right, menu: (w) => w.returns, handle: listReturns },
  { method: 'GET', path: '/returns/:returnId', right, handle: showReturn },
  { method: 'POST', path: '/returns/:returnId/:verb', right, handle: takeStep },
];
