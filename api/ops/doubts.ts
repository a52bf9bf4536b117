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
  sayWithASecond,
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
import { lookAgain } from '../temporal/look-again.ts';
import { card, details, facts, form, heading, notice, paragraph, type Banner, type Html } from './html.ts';
import { textIn, type OpsPage, type PageAnswer, type Visit } from './visit.ts';

/** The first page: questions about money that only a person can answer, the oldest first. */

const mostShown = 50;
const right = { acl: 'Vendor_Pos::locations', staff: ['issue_refunds'] } as const;

/** What became of a form, told on the page that follows it. */
const reported = {
  refunded: ['good', 'isSettledRefunded'],
  not_refunded: ['good', 'isSettledNot'],
  open: ['info', 'isStillOpen'],
  recorded: ['info', 'isRecorded'],
  asked: ['info', 'isAskedOpen'],
  healed: ['good', 'isHealed'],
  stays: ['info', 'staysNot'],
  before: ['info', 'isDecidedBefore'],
  second: ['info', 'isWaitingForSecond'],
  case: ['info', 'caseOpened'],
  case_before: ['info', 'caseIsOpen'],
  case_closed_before: ['info', 'caseWasClosed'],
  closed: ['good', 'caseClosed'],
} as const;
type Reported = keyof typeof reported;

const bannersOf = ({ query, w }: Visit): Banner[] => {
  const key = query.get('told') ?? '';
  if (!Object.hasOwn(reported, key)) return [];
  const [kind, word] = reported[key as Reported];
  return [{ kind, text: w[word] }];
};

const backWith = (what: Reported): PageAnswer => ({ to: `/ops?told=${what}` });

async function showDoubts(visit: Visit): Promise<PageAnswer> {
  const { em, person, w } = visit;
  const seen = { locationIds: person.locationIds, most: mostShown };
  const [open, cases, decided] = await Promise.all([
    openDoubts(em, seen),
    openRefundCases(em, seen),
    decidedLately(em, seen),
  ]);
  const context = await contextDoubts(visit, [...open, ...decided], cases);
  return {
    title: w.doubts,
    banners: bannersOf(visit),
    body: [
      ...(open.length === 0 ? [paragraph(w.noDoubts, 'empty')] : []),
      ...open.map((doubt) => doubtCard(visit, doubt, context)),
      ...(open.length === mostShown ? [paragraph(w.moreDoubts)] : []),
      ...(cases.length === 0 ? [] : [heading(w.cases), ...cases.map((one) => caseCard(visit, one, context))]),
      ...(decided.length === 0 ? [] : [heading(w.decided), ...decided.map((one) => decidedCard(visit, one, context))]),
    ],
  };
}

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
  doubts: readonly DoubtRow[],
  cases: readonly RefundCaseRow[],
): Promise<ContextDoubts> {
  const [settings, gateways] = await Promise.all([
    onceEach<{ storeId: number }, OpsSettings>(
      [...doubts, ...cases],
      ({ storeId }) => String(storeId),
      ({ storeId }) => readOpsSettings(em, storeId),
    ),
    onceEach(doubts, gatewayKey, async (doubt) => (await parts.providers.gatewayFacts.for(doubt))?.canLookUp === true),
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

const needsTwo = (doubt: DoubtRow, { twoPeopleAbove }: OpsSettings) =>
  twoPeopleAbove !== undefined && doubt.baseAmount > twoPeopleAbove;

function doubtCard(visit: Visit, doubt: DoubtRow, { settingsFor, canBeAsked }: ContextDoubts): Html {
  const { w, f, now } = visit;
  const settings = settingsFor(doubt);
  const answers = { refunded: w.wentBack, not_refunded: w.didNot };
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
            text: w.saidFirst(doubt.proposalBy ?? '', answers[doubt.proposal], doubt.proposalNote ?? ''),
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
  if (isDecided(doubt.state)) return backWith('before');
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
  const first = needsTwo(doubt, await readOpsSettings(em, doubt.storeId))
    ? await sayWithASecond(em, word)
    : 'not needed';
  if (first === undefined) return backWith('second');
  if (first === 'not needed') await auditDecision(em, { word, fieldName: 'decision' });
  const both = first === 'not needed' ? word : { note: `${first.byName}: ${first.note}\n${person.name}: ${note}` };
  const staffName = first === 'not needed' ? person.name : `${first.byName}, ${person.name}`;
  const request = { resolution: answer, staffName: staffName.slice(0, 255), note: both.note.slice(0, 4_000) };
  const settled = await askAttempt({
    ...contextOf(visit),
    attemptId,
    update: resolveUpdate,
    request,
    decision: answer,
  });
  await forgetProposal(em, attemptId);
  return backWith(settled.state === 'uncertain' && settled.effectiveAt !== null ? 'recorded' : endOf(settled.state));
}

const contextOf = ({ em, parts: { workflows }, requestId }: Visit) => ({ em, workflows, requestId });

const endOf = (state: DoubtRow['state']): Reported =>
  state === 'booked' ? 'refunded' : state === 'failed' ? 'not_refunded' : 'open';

async function doubtOrNone({ em, person, w }: Visit, id: string | undefined): Promise<DoubtRow> {
  const attemptId = idIn(id);
  const doubt = attemptId === undefined ? undefined : await doubtOf(em, { attemptId, locationIds: person.locationIds });
  if (!doubt) throw invalid(w.notThere);
  return doubt;
}

function decidedCard(visit: Visit, doubt: DoubtRow, { canBeAsked }: ContextDoubts): Html {
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

/** A refund has one case: where it is, its own words stand in place of the button. */
function caseInWords({ w, f }: Visit, { caseBy, caseAt, caseClosedBy, caseClosedAt }: DoubtRow): string {
  const opened = w.caseOpenedBy(caseBy ?? '', caseAt === null ? '' : f.moment(caseAt));
  return caseClosedAt === null ? opened : `${opened} ${w.caseClosedBy(caseClosedBy ?? '', f.moment(caseClosedAt))}`;
}

async function lookAgainAt(visit: Visit): Promise<PageAnswer> {
  const { em, person, parts, requestId } = visit;
  const { attemptId, state, resolvedBy } = await doubtOrNone(visit, visit.params['attemptId']);
  if (state !== 'failed' || resolvedBy === null) return backWith('before');
  await parts.workflows.refuseWhileAway();
  await auditDecision(em, { word: { attemptId, answer: 'ask', note: '', by: person }, fieldName: 'asked_again' });
  const { state: now, evidence, message } = await lookAgain({ workflows: parts.workflows, requestId, attemptId });
  if (now === 'booked') return backWith('healed');
  if (evidence === 'refunded') throw invalid(message ?? visit.w.staysNot);
  return backWith('stays');
}

const afterWrong = { opened: 'case', 'open before': 'case_before', 'closed before': 'case_closed_before' } as const;

async function callWrong(visit: Visit): Promise<PageAnswer> {
  const { em, person, w } = visit;
  const { attemptId } = await doubtOrNone(visit, visit.params['attemptId']);
  const note = textIn(visit, 'note', w.noteMissing);
  const means = refundCaseMeans.find((one) => one === visit.field('means'));
  if (means === undefined) throw invalid(w.meansMissing);
  return backWith(afterWrong[await openRefundCase(em, { attemptId, note, means, by: person })]);
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
  if (caseId === undefined || !(await refundCaseOf(em, { locationIds, caseId }))) throw invalid(w.notThere);
  return backWith((await closeRefundCase(em, { caseId, proof, by: person })) ? 'closed' : 'case_closed_before');
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
