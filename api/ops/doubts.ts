import {
  auditDecision,
  closeRefundCase,
  countQuestions,
  decidedLately,
  doubtOf,
  forgetProposal,
  openDoubts,
  openRefundCase,
  openRefundCases,
  refundCaseOf,
  type DoubtRow,
  type RefundCaseRow,
} from '../../db/ops/doubts.ts';
import { refundCaseMeans } from '../../db/ops/ops.entity.ts';
import { readOpsSettings, type OpsSettings } from '../../db/ops/read-day.ts';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { invalid } from '../../domain/errors.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { isDecided } from '../../domain/refunds/refund-finding.ts';
import { idIn } from '../../domain/ids.ts';
import { reconcileUpdate, resolveUpdate } from '../../workflows/refunds/messages.ts';
import { askAttempt } from '../temporal/ask-attempt.ts';
import { card, details, facts, form, heading, notice, paragraph, type Html } from './html.ts';
import {
  backOvertaken,
  backWith,
  bannersOf,
  bothOf,
  caseEnd,
  caseInWords,
  doubtOrNone,
  needsTwo,
  needsTwoNotices,
  type Reported,
} from './decisions.ts';
import { lookAgainAt } from './look-again.ts';
import { textIn, type OpsPage, type PageAnswer, type Visit } from './visit.ts';

/** The first page: questions about money that only a person can answer, the oldest first. */

const mostShown = 50;
const right = { acl: 'Vendor_Pos::locations', staff: ['issue_refunds'] } as const;

async function showDoubts(visit: Visit): Promise<PageAnswer> {
  const { em, person, w } = visit;
  const seen = { locationIds: person.locationIds, most: mostShown };
  const wanted = idIn(visit.query.get('attempt') ?? undefined);
  const [open, cases, decided] = await Promise.all([
    openDoubts(em, seen),
    openRefundCases(em, seen),
    wanted === undefined ? decidedLately(em, seen) : decidedOne(visit, wanted),
  ]);
  const context = await contextDoubts(visit, { open, cases, decided });
  return {
    title: w.doubts,
    banners: await bannersOf(visit),
    body: [
      ...(open.length === 0 ? [paragraph(w.noDoubts, 'empty')] : []),
      ...open.map((doubt) => doubtCard(visit, doubt, context)),
      ...(open.length === mostShown ? [paragraph(w.moreDoubts)] : []),
      ...(cases.length === 0 ? [] : [heading(w.cases), ...cases.map((one) => caseCard(visit, one, context))]),
      ...(decided.length === 0 ? [] : [heading(w.decided), ...decided.map((one) => decidedCard(visit, one, context))]),
      ...(decided.length < mostShown ? [] : [olderDecision(visit)]),
    ],
  };
}

/** One decision by the number of its refund, however old. Refused with 400: there is none, or it is of another shop. */
async function decidedOne({ em, person, w }: Visit, attemptId: number): Promise<DoubtRow[]> {
  const doubt = await doubtOf(em, { attemptId, locationIds: person.locationIds });
  if (!doubt || !isDecided(doubt.state)) throw invalid(w.notThere);
  return doubt.resolvedBy === null ? [] : [doubt];
}

/** More decisions than a page shows: each is found by the number of its refund, as the timeline has it. */
const olderDecision = ({ w }: Visit): Html =>
  form({
    ...{ action: '/ops', method: 'get', kind: 'search' },
    fields: [{ name: 'attempt', label: w.olderDecision, isRequired: true, most: 10 }],
    buttons: [{ text: w.stories.find }],
  });

/** What the cards need beside their rows. */
interface ContextDoubts {
  settingsFor: (about: { storeId: number }) => OpsSettings;
  canBeAsked: (doubt: DoubtRow) => boolean;
}

const nothingSet: OpsSettings = { twoPeopleAbove: undefined, portalOf: () => undefined };
const gatewayKey = ({ storeId, paymentMethod }: DoubtRow) => `${storeId} ${paymentMethod}`;

/** Read once for each store view and gateway, however many refunds are in doubt. */
async function contextDoubts(
  { em, parts }: Visit,
  {
    open: doubts,
    cases,
    decided,
  }: { open: readonly DoubtRow[]; cases: readonly RefundCaseRow[]; decided: readonly DoubtRow[] },
): Promise<ContextDoubts> {
  const [settings, gateways] = await Promise.all([
    onceEach<{ storeId: number }, OpsSettings>(
      [...doubts, ...cases, ...decided],
      ({ storeId }) => String(storeId),
      ({ storeId }) => readOpsSettings(em, storeId),
    ),
    onceEach(
      [...doubts, ...decided],
      gatewayKey,
      async (doubt) => (await parts.providers.gatewayFacts.for(doubt))?.canLookUp === true,
    ),
  ]);
  return {
    settingsFor: ({ storeId }) => settings.get(String(storeId)) ?? nothingSet,
    canBeAsked: (doubt) => gateways.get(gatewayKey(doubt)) === true,
  };
}

async function onceEach<One, Found>(
  doubts: readonly One[],
  keyOf: (doubt: One) => string,
  read: (doubt: One) => Promise<Found>,
): Promise<Map<string, Found>> {
  const firsts = new Map(doubts.map((doubt) => [keyOf(doubt), doubt]));
  return new Map(await Promise.all([...firsts].map(async ([key, doubt]) => [key, await read(doubt)] as const)));
}

function doubtCard(visit: Visit, doubt: DoubtRow, { settingsFor, canBeAsked }: ContextDoubts): Html {
  const { w, f, now } = visit;
  const settings = settingsFor(doubt);
  const sum = f.money(doubt.amount, doubt.currencyCode);
  const above = settings.twoPeopleAbove;
  return card(
    { title: `${w.order} ${doubt.orderNumber}`, aside: sum, kind: 'urgent' },
    facts([
      { name: w.since, value: f.age(doubt.createdAt, now) },
      { name: w.shop, value: doubt.locationName ?? w.nobody },
      { name: w.cashier, value: [doubt.cashier, doubt.terminal].filter((one) => one !== null).join(', ') || w.nobody },
      ...(doubt.returnNumber === null
        ? []
        : [{ name: w.return, value: doubt.returnNumber, href: `/ops/story?q=return-${doubt.returnId}` }]),
      { name: w.order, value: doubt.orderNumber, href: `/ops/story?q=order-${doubt.orderId}` },
    ]),
    facts(processorFacts(visit, doubt, settings)),
    ...(above !== undefined && needsTwo(doubt, settings)
      ? [notice({ kind: 'info', text: w.needsTwo(f.money(above, doubt.baseCurrencyCode)) })]
      : []),
    ...(doubt.proposal === null
      ? []
      : [
          notice({
            kind: 'info',
            text: w.saidFirst(
              doubt.proposalBy ?? '',
              doubt.proposal === 'refunded' ? w.wentBack : w.didNot,
              doubt.proposalNote ?? '',
            ),
          }),
        ]),
    ...(doubt.effectiveAt === null ? [] : [notice({ kind: 'info', text: decisionOf(visit, doubt) })]),
    ...(doubt.isCallOver ? [] : [paragraph(w.callOnItsWay)]),
    form({
      action: `/ops/doubts/${doubt.attemptId}`,
      csrf: visit.csrf,
      fields: [{ name: 'note', label: w.note, help: w.noteHelp, isLong: true, isRequired: true, most: 2_000 }],
      buttons: [
        {
          text: w.wentBack,
          name: 'answer',
          value: 'refunded',
          kind: 'good',
          says: `${w.wentBack}: ${sum}, ${doubt.orderNumber}`,
        },
        {
          text: w.didNot,
          name: 'answer',
          value: 'not_refunded',
          kind: 'bad',
          says: `${w.didNot}: ${sum}, ${doubt.orderNumber}`,
        },
        ...(canBeAsked(doubt)
          ? [
              {
                text: w.askAgain,
                name: 'answer',
                value: 'ask',
                isFree: true,
                says: `${w.askAgain}: ${sum}, ${doubt.orderNumber}`,
              },
            ]
          : []),
      ],
    }),
    details(
      w.whatAnswersDo,
      paragraph(w.wentBackDoes),
      paragraph(w.didNotDoes),
      ...(canBeAsked(doubt) ? [paragraph(w.askAgainDoes)] : []),
    ),
  );
}

const decisionOf = ({ w, f }: Visit, { resolvedBy, resolutionNote, effectiveAt }: DoubtRow) =>
  w.decidedNot(resolvedBy ?? '', resolutionNote ?? '', effectiveAt === null ? '' : f.moment(effectiveAt));

function processorFacts(visit: Visit, doubt: DoubtRow, settings: OpsSettings) {
  const { w, f } = visit;
  const { gatewayOutcome, message, callStartedAt, asks, askedAgainAt, askedAgainBy } = doubt;
  const lastAnswer = [gatewayOutcome === null ? null : (w.outcomes[gatewayOutcome] ?? gatewayOutcome), message]
    .filter((part) => part !== null)
    .join(': ');
  return [
    ...paymentFacts(visit, doubt, settings),
    { name: w.askedAt, value: callStartedAt === null ? w.neverCalled : f.moment(callStartedAt) },
    askedAgainAt === null
      ? undefined
      : { name: w.askedAgain, value: w.askedAgainTimes(f.number(asks), f.moment(askedAgainAt), askedAgainBy ?? '') },
    { name: w.lastAnswer, value: lastAnswer === '' ? w.noAnswer : lastAnswer },
  ];
}

type Paid = Pick<DoubtRow, 'attemptId' | 'nameTail' | 'paymentMethod' | 'paymentReference' | 'gatewayReference'>;

/** Where the payment is found at its processor. */
function paymentFacts({ w }: Visit, paid: Paid, settings: OpsSettings) {
  const { paymentMethod, paymentReference, gatewayReference } = paid;
  const shown = gatewayReference ?? paymentReference ?? '';
  const portal = shown === '' ? undefined : settings.portalOf(paymentMethod, shown);
  return [
    { name: w.processor, value: paymentMethod },
    { name: w.payment, value: [paymentReference, gatewayReference].filter((one) => one !== null).join(', ') },
    { name: w.ourName, value: merchantReference(paid) },
    portal === undefined ? undefined : { name: w.portal, value: new URL(portal).host, href: portal, isOutside: true },
  ];
}

/** Carries out an answer: by the refund's workflow, as the API does. */
async function decide(visit: Visit): Promise<PageAnswer> {
  const { em, person, w, params } = visit;
  const doubt = await doubtOrNone(visit, params['attemptId']);
  if (isDecided(doubt.state)) return backOvertaken('before', doubt.attemptId);
  const answer = visit.field('answer');
  const note = visit.field('note').trim();
  refuseCardData(note);
  const { attemptId } = doubt;
  if (answer === 'ask') {
    await visit.parts.workflows.refuseWhileAway();
    await auditDecision(em, { word: { attemptId, answer, note, by: person }, fieldName: 'asked_again' });
    const query = await askAttempt({ ...contextOf(visit), attemptId, update: reconcileUpdate, request: null });
    await forgetProposal(em, attemptId);
    const end = endOf(query.state);
    return backWith(end === 'open' ? 'asked' : end);
  }
  if (answer !== 'refunded' && answer !== 'not_refunded') throw invalid(w.noteMissing);
  if (note === '') throw invalid(w.noteMissing);
  // What cannot be carried out now is not written down as said.
  await visit.parts.workflows.refuseWhileAway();
  const word = { attemptId, answer, note, by: person } as const;
  const settings = await readOpsSettings(em, doubt.storeId);
  const both = await bothOf(visit, { word, step: 'decision', isNeeded: needsTwo(doubt, settings) });
  if ('to' in both) return both;
  const request = { resolution: answer, staffName: both.name, note: both.note };
  const asked = { ...contextOf(visit), attemptId, update: resolveUpdate, request, decision: answer } as const;
  const settled = await askAttempt(asked);
  await forgetProposal(em, attemptId);
  const now = await doubtOrNone(visit, visit.params['attemptId']);
  const isOwn = now.resolvedBy === both.name && now.resolutionNote === both.note;
  if (now.resolvedBy !== null && !isOwn) return backOvertaken('before', attemptId);
  return backWith(settled.state === 'uncertain' && settled.effectiveAt !== null ? 'recorded' : endOf(settled.state));
}

const contextOf = ({ em, parts: { workflows }, requestId }: Visit) => ({ em, workflows, requestId });

const endOf = (state: DoubtRow['state']): Reported =>
  state === 'booked' ? 'refunded' : state === 'failed' ? 'not_refunded' : 'open';

function decidedCard(visit: Visit, doubt: DoubtRow, { settingsFor, canBeAsked }: ContextDoubts): Html {
  const { w, f } = visit;
  const { attemptId, state, resolvedBy, resolutionNote, updatedAt, caseId } = doubt;
  const sum = f.money(doubt.amount, doubt.currencyCode);
  const meansOf = refundCaseMeans.map((value) => ({ value, text: w.byMeans[value] }));
  return card(
    { title: `${w.order} ${doubt.orderNumber}: ${state === 'booked' ? w.wentBack : w.didNot}`, aside: sum },
    facts([
      { name: w.saidBy, value: `${resolvedBy ?? ''}, ${f.moment(updatedAt)}` },
      { name: w.note, value: resolutionNote ?? '' },
      { name: w.order, value: doubt.orderNumber, href: `/ops/story?q=order-${doubt.orderId}` },
    ]),
    ...(state === 'failed' ? [paragraph(canBeAsked(doubt) ? w.ifItWentAfterAll : w.ifItWentByHand, 'soft')] : []),
    ...(state === 'failed' && canBeAsked(doubt)
      ? [
          form({
            action: `/ops/doubts/${attemptId}/again`,
            csrf: visit.csrf,
            fields: [],
            buttons: [{ text: w.askAgain, isFree: true, says: `${w.askAgain}: ${sum}, ${doubt.orderNumber}` }],
          }),
        ]
      : []),
    ...(caseId === null ? [] : [notice({ kind: 'info', text: caseInWords(visit, doubt) })]),
    ...(caseId !== null || state !== 'booked'
      ? []
      : needsTwoNotices(visit, { ...doubt, settings: settingsFor(doubt) })),
    ...(state !== 'booked' || caseId !== null
      ? []
      : [
          details(
            w.thatWasWrong,
            paragraph(w.wrongDoes),
            form({
              action: `/ops/doubts/${attemptId}/wrong`,
              csrf: visit.csrf,
              fields: [
                { name: 'note', label: w.note, isLong: true, isRequired: true, most: 2_000 },
                { name: 'means', label: w.means, options: meansOf, isRequired: true },
              ],
              buttons: [{ text: w.openCase, kind: 'bad', says: `${w.openCase}: ${sum}, ${doubt.orderNumber}` }],
            }),
          ),
        ]),
  );
}

async function callWrong(visit: Visit): Promise<PageAnswer> {
  const { em, person, w } = visit;
  const doubt = await doubtOrNone(visit, visit.params['attemptId']);
  const { attemptId } = doubt;
  const note = textIn(visit, 'note', w.noteMissing);
  const means = refundCaseMeans.find((one) => one === visit.field('means'));
  if (means === undefined) throw invalid(w.meansMissing);
  if (doubt.caseId !== null) return backOvertaken(caseEnd(doubt), attemptId);
  const isNeeded = needsTwo(doubt, await readOpsSettings(em, doubt.storeId));
  const word = { attemptId, answer: means, note, by: person };
  const both = await bothOf(visit, { word, step: 'open_case', isNeeded });
  if ('to' in both) return both;
  const opened = await openRefundCase(em, { attemptId, means, note: both.note, by: { ...person, name: both.name } });
  if (opened === 'opened') return backWith('case');
  return backOvertaken(opened === 'closed before' ? 'case_closed_before' : 'case_before', attemptId);
}

function caseCard(visit: Visit, one: RefundCaseRow, { settingsFor }: ContextDoubts): Html {
  const { w, f, csrf } = visit;
  const sum = f.money(one.amount, one.currencyCode);
  return card(
    { title: `${w.order} ${one.orderNumber}`, aside: sum, kind: 'urgent' },
    paragraph(w.caseSays(sum, w.byMeans[one.means])),
    facts([
      { name: w.firstWord, value: `${one.firstBy}, ${f.moment(one.firstAt)}: ${w.wentBack}. ${one.firstNote ?? ''}` },
      { name: w.secondWord, value: `${one.secondBy}, ${f.moment(one.openedAt)}: ${w.thatWasWrong}. ${one.secondNote}` },
      { name: w.amount, value: sum },
      { name: w.means, value: w.byMeans[one.means] },
      { name: w.shop, value: one.locationName ?? '' },
      one.returnNumber === null
        ? undefined
        : { name: w.return, value: one.returnNumber, href: `/ops/story?q=return-${one.returnId}` },
      { name: w.order, value: one.orderNumber, href: `/ops/story?q=order-${one.orderId}` },
    ]),
    facts(paymentFacts(visit, one, settingsFor(one))),
    ...needsTwoNotices(visit, { ...one, settings: settingsFor(one), baseCurrencyCode: one.currencyCode }),
    form({
      action: `/ops/cases/${one.caseId}`,
      csrf,
      fields: [{ name: 'proof', label: w.proof, isLong: true, isRequired: true, most: 2_000 }],
      buttons: [{ text: w.closeCase, kind: 'good', says: `${w.closeCase}: ${sum}, ${one.orderNumber}` }],
    }),
  );
}

async function closeCase(visit: Visit): Promise<PageAnswer> {
  const { em, person, w } = visit;
  const caseId = idIn(visit.params['caseId']);
  const proof = textIn(visit, 'proof', w.proofMissing);
  const { locationIds } = person;
  const found = caseId === undefined ? undefined : await refundCaseOf(em, { locationIds, caseId });
  if (!found) throw invalid(w.notThere);
  const { attemptId, storeId, closedAt } = found;
  if (closedAt !== null) return backOvertaken('case_closed_before', attemptId);
  const isNeeded = needsTwo(found, await readOpsSettings(em, storeId));
  const word = { attemptId, answer: 'closed', note: proof, by: person } as const;
  const both = await bothOf(visit, { word, step: 'close_case', isNeeded });
  if ('to' in both) return both;
  const by = { ...person, name: both.name };
  const isClosed = await closeRefundCase(em, { caseId: found.caseId, proof: both.note, by });
  return isClosed ? backWith('closed') : backOvertaken('case_closed_before', attemptId);
}

const countOf: OpsPage['count'] = ({ em, person }) =>
  countQuestions(em, { locationIds: person.locationIds, most: mostShown });

export const doubtPages: readonly OpsPage[] = [
  { method: 'GET', path: '/', right, menu: (w) => w.doubts, count: countOf, handle: showDoubts },
  { method: 'POST', path: '/doubts/:attemptId', right, handle: decide },
  { method: 'POST', path: '/doubts/:attemptId/wrong', right, handle: callWrong },
  { method: 'POST', path: '/doubts/:attemptId/again', right, handle: lookAgainAt },
  { method: 'POST', path: '/cases/:caseId', right, handle: closeCase },
];
