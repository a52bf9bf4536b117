import { auditDecision, decideTogether, doubtOf, type DoubtRow, type ProposedWord } from '../../db/ops/doubts.ts';
import type { ProposalStep } from '../../db/ops/ops.entity.ts';
import type { OpsSettings } from '../../db/ops/read-day.ts';
import { invalid } from '../../domain/errors.ts';
import { idIn } from '../../domain/ids.ts';
import type { Amount } from '../../domain/money.ts';
import { notice, type Banner, type Html } from './html.ts';
import { changedNothing } from './presses.ts';
import type { PageAnswer, Visit } from './visit.ts';

/** What decisions about a refund and about its incident share: two people, and what the page says of a press. */

/** What became of a form, told on the page that follows it. */
const reported = {
  refunded: ['good', 'isSettledRefunded'],
  not_refunded: ['good', 'isSettledNot'],
  open: ['info', 'isStillOpen'],
  recorded: ['info', 'isRecorded'],
  asked: ['info', 'isAskedOpen'],
  healed: ['good', 'isHealed'],
  stays: ['info', 'staysNot'],
  second: ['info', 'isWaitingForSecond'],
  not_counted: ['bad', 'isNotASecondPerson'],
  case: ['info', 'caseOpened'],
  closed: ['good', 'caseClosed'],
} as const;
export type Reported = keyof typeof reported;

/** A press that found its work done by another. */
const overtaken = ['before', 'case_before', 'case_closed_before'] as const;
type Overtaken = (typeof overtaken)[number];

export async function bannersOf(visit: Visit): Promise<Banner[]> {
  const { query, w } = visit;
  const key = query.get('told') ?? '';
  if (overtaken.some((one) => one === key)) return overtakenBanner(visit, key as Overtaken);
  if (!Object.hasOwn(reported, key)) return [];
  const [kind, word] = reported[key as Reported];
  return [{ kind, text: w[word] }];
}

/** Who had decided, opened or closed it, when, and what. */
async function overtakenBanner(visit: Visit, key: Overtaken): Promise<Banner[]> {
  const { em, person, query, w, f } = visit;
  const attemptId = idIn(query.get('about') ?? undefined);
  const doubt = attemptId === undefined ? undefined : await doubtOf(em, { attemptId, locationIds: person.locationIds });
  if (!doubt) return [];
  const sum = f.money(doubt.amount, doubt.currencyCode);
  if (key === 'case_before')
    return [changedNothing(visit, { by: doubt.caseBy, at: doubt.caseAt ?? doubt.updatedAt, what: w.caseIsOpen })];
  if (key === 'case_closed_before') {
    const { caseClosedBy: by, caseClosedAt, updatedAt } = doubt;
    return [changedNothing(visit, { by, at: caseClosedAt ?? updatedAt, what: w.caseWasClosed })];
  }
  const end = doubt.state === 'booked' ? w.wentBack : w.didNot;
  const tender = w.tenders[doubt.paymentMethod] ?? doubt.paymentMethod;
  const what = `${w.order} ${doubt.orderNumber}: ${end}, ${sum}, ${tender}`;
  return [changedNothing(visit, { by: doubt.resolvedBy ?? w.processor, at: doubt.updatedAt, what })];
}

export const backWith = (what: Reported): PageAnswer => ({ to: `/ops?told=${what}` });
export const backOvertaken = (what: Overtaken, attemptId: number): PageAnswer => ({
  to: `/ops?told=${what}&about=${attemptId}`,
});

export const needsTwo = (doubt: { baseAmount: Amount }, { twoPeopleAbove }: OpsSettings) =>
  twoPeopleAbove !== undefined && doubt.baseAmount > twoPeopleAbove;

/** Whose decision it is, in the books. */
interface Both {
  name: string;
  note: string;
}

/**
 * The name and the note of a decision: of the person alone, or of the two who take it together where two are needed. A
 * page where a second person is still needed, or where this one is none.
 */
export async function bothOf(
  { em, person }: Visit,
  { word, step, isNeeded }: { word: ProposedWord; step: ProposalStep; isNeeded: boolean },
): Promise<Both | { to: string }> {
  const { note } = word;
  if (!isNeeded) {
    if (step === 'decision') await auditDecision(em, { word, fieldName: 'decision' });
    return { name: person.name.slice(0, 255), note: note.slice(0, 4_000) };
  }
  const together = await decideTogether(em, step, word);
  if (together.is === 'waiting') return { to: '/ops?told=second' };
  if (together.is === 'not two people') return { to: '/ops?told=not_counted' };
  const { byName, note: firstNote } = together.first;
  return {
    name: `${byName}, ${person.name}`.slice(0, 255),
    note: `${byName}: ${firstNote}\n${person.name}: ${note}`.slice(0, 4_000),
  };
}

/** Whether two people open or close it, and what the first of them saw. */
export function needsTwoNotices(
  { w, f }: Visit,
  one: Pick<DoubtRow, 'baseAmount' | 'proposalBy' | 'proposalNote'> & {
    settings: OpsSettings;
    baseCurrencyCode: string;
  },
): Html[] {
  const { settings, proposalBy, proposalNote, baseCurrencyCode } = one;
  const above = settings.twoPeopleAbove;
  if (above === undefined || !needsTwo(one, settings)) return [];
  return [
    notice({ kind: 'info', text: w.needsTwo(f.money(above, baseCurrencyCode)) }),
    ...(proposalBy === null
      ? []
      : [notice({ kind: 'info', text: w.saidFirst(proposalBy, w.thatWasWrong, proposalNote ?? '') })]),
  ];
}

export async function doubtOrNone({ em, person, w }: Visit, id: string | undefined): Promise<DoubtRow> {
  const attemptId = idIn(id);
  const doubt = attemptId === undefined ? undefined : await doubtOf(em, { attemptId, locationIds: person.locationIds });
  if (!doubt) throw invalid(w.notThere);
  return doubt;
}

export const caseEnd = ({ caseClosedAt }: DoubtRow): Overtaken =>
  caseClosedAt === null ? 'case_before' : 'case_closed_before';

/** A refund has at most one case; where there is one, this text takes the place of the button. */
export function caseInWords({ w, f }: Visit, { caseBy, caseAt, caseClosedBy, caseClosedAt }: DoubtRow): string {
  const opened = w.caseOpenedBy(caseBy ?? '', caseAt === null ? '' : f.moment(caseAt));
  return caseClosedAt === null ? opened : `${opened} ${w.caseClosedBy(caseClosedBy ?? '', f.moment(caseClosedAt))}`;
}
