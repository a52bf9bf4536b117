import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { settlingSeconds } from '../../domain/refunds/refund-finding.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import {
  amount,
  count,
  flag,
  integer,
  integers,
  moment,
  orNull,
  definite,
  text,
  type Kind,
} from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { type ProposalStep, type RefundCaseMeans } from './ops.entity.ts';
import { areTwoPeople, mayStillDecide } from '../staff/second-person.ts';

/** How long an incident can be opened about a wrong "refunded": as long as a card's issuer takes a dispute. */
const wrongWithinDays = 180;

/** What the operator's page reads and writes about refunds in doubt; to decide one is its workflow's. */

const doubtRow = {
  ...of(RefundAttempt, 'attemptId', 'orderId', 'returnId', 'paymentMethod', 'paymentReference', 'state'),
  ...of(RefundAttempt, 'currencyCode', 'gatewayOutcome', 'gatewayReference', 'nameTail', 'message'),
  ...of(RefundAttempt, 'resolvedBy', 'resolutionNote', 'createdAt', 'updatedAt', 'callStartedAt', 'firstNotFoundAt'),
  ...of(RefundAttempt, 'effectiveAt'),
  ...of(Order, 'storeId', 'baseCurrencyCode'),
  orderNumber: text,
  returnNumber: orNull(text),
  amount: definite(amount),
  baseAmount: definite(amount),
  locationId: orNull(integer),
  locationName: orNull(text),
  cashier: orNull(text),
  terminal: orNull(text),
  /** A no counts now: no call can be on its way any more. */
  isCallOver: definite(flag),
  proposal: orNull(text as Kind<ProposalAnswer>),
  proposalNote: orNull(text),
  proposalBy: orNull(text),
  proposalEmail: orNull(text),
  caseId: orNull(integer),
  caseBy: orNull(text),
  caseAt: orNull(moment),
  caseClosedBy: orNull(text),
  caseClosedAt: orNull(moment),
  /** How often a person had the processor asked again, and the last time. */
  asks: definite(count),
  askedAgainAt: orNull(moment),
  askedAgainBy: orNull(text),
};

export type DoubtRow = RowFrom<typeof readOpen>;

const doubts = `
  select a.attempt_id, a.order_id, a.return_id, a.payment_method, a.payment_reference, a.state, a.currency_code,
    a.gateway_outcome, a.gateway_reference, a.name_tail, a.message, a.resolved_by, a.resolution_note, a.created_at,
    a.updated_at, a.call_started_at, a.first_not_found_at, a.effective_at, a.amount, a.base_amount, o.store_id, o.base_currency_code,
    o.increment_id as order_number, r.increment_id as return_number, l.location_id, l.name as location_name,
    c.staff_name as cashier, c.terminal_name as terminal,
    coalesce(a.call_deadline + interval '${settlingSeconds} seconds' <= clock_timestamp(), true) as is_call_over,
    p.answer as proposal, p.note as proposal_note, p.by_name as proposal_by, p.by_email as proposal_email,
    k.case_id, k.second_by as case_by, k.opened_at as case_at, k.closed_by as case_closed_by,
    k.closed_at as case_closed_at, q.asks, q.asked_again_at, q.asked_again_by
  from refund_attempt a
  join sales_order o on o.entity_id = a.order_id
  left join sale_return r on r.return_id = a.return_id
  left join refund_proposal p on p.attempt_id = a.attempt_id
    and p.step = case when a.state = 'uncertain' then 'decision' else 'open_case' end
  left join lateral (
    select staff_name, terminal_name, location_id from pos_receipt
    where order_increment_id = o.increment_id order by receipt_id desc limit 1) c on true
  left join refund_case k on k.attempt_id = a.attempt_id
  left join lateral (
    select count(*) as asks, max(created_at) as asked_again_at,
      (array_agg(staff_name order by log_id desc))[1] as asked_again_by
    from pos_audit_log
    where entity_type = 'refund_attempt' and entity_id = a.attempt_id::text and field_name = 'asked_again') q on true
  left join pos_location l on l.location_id = coalesce(r.location_id, c.location_id)
  where ($locationIds::bigint[] is null or l.location_id = any($locationIds::bigint[]))`;

const readOpen = sql('doubts.readOpen', {
  takes: { locationIds: orNull(integers) },
  gives: doubtRow,
})`${doubts} and a.state = 'uncertain' order by a.created_at limit $most`;

const readOne = sql('doubts.readOne', {
  takes: { locationIds: orNull(integers) },
  gives: doubtRow,
})`${doubts} and a.attempt_id = $attemptId`;

const readDecided = sql('doubts.readDecided', { takes: { locationIds: orNull(integers) }, gives: doubtRow })`
  ${doubts} and a.resolved_by is not null and a.state in ('booked', 'failed')
  and a.updated_at > now() - interval '${wrongWithinDays} days' order by a.updated_at desc limit $most`;

/** The shops whose questions a person sees; null: all. */
export interface Seen {
  locationIds: readonly number[] | null;
}

/** Open questions about money, the oldest first. */
export const openDoubts = (em: EntityManager, seen: Seen & { most: number }): Promise<DoubtRow[]> =>
  readOpen.all(em, seen);

/** One refund attempt, in whatever state; undefined where there is none, or where it is of another's shop. */
export const doubtOf = (em: EntityManager, seen: Seen & { attemptId: number }): Promise<DoubtRow | undefined> =>
  readOne.first(em, seen);

/** What people decided, as long as an incident can be opened about it, the newest first. */
export const decidedLately = (em: EntityManager, seen: Seen & { most: number }): Promise<DoubtRow[]> =>
  readDecided.all(em, seen);

/** Who decides, for the books and the trail. */
export interface Decider {
  name: string;
  email: string;
  /** Such as `staff:7`. */
  account: string;
  staffId: number | undefined;
}

type ProposalAnswer = 'refunded' | 'not_refunded' | RefundCaseMeans | 'closed';

/** A decision that two people take. */
export interface ProposedWord extends Omit<Word, 'answer'> {
  answer: ProposalAnswer;
}

export interface Word {
  attemptId: number;
  answer: 'refunded' | 'not_refunded';
  note: string;
  by: Decider;
}

const propose = sql('doubts.propose')`
  insert into refund_proposal (attempt_id, step, answer, note, by_account, by_name, by_email)
  select a.attempt_id, $step, $answer, $note, $byAccount, $byName, $byEmail from refund_attempt a
  where a.attempt_id = $attemptId and a.state = case when $step = 'decision' then 'uncertain' else 'booked' end
  on conflict (attempt_id, step) do update set answer = excluded.answer, note = excluded.note,
    by_account = excluded.by_account, by_name = excluded.by_name, by_email = excluded.by_email, created_at = now()`;

const proposed = sql('doubts.proposed')`
  select answer, note, by_account, by_name, by_email, created_at from refund_proposal
  where attempt_id = $attemptId and step = $step for update`;

const lockAttempt = sql(
  'doubts.lockAttempt',
)`select state from refund_attempt where attempt_id = $attemptId for update`;

type Proposed = RowFrom<typeof proposed>;

/** What a decision that two people take together came to. */
export type Together =
  | { is: 'agreed'; first: Proposed }
  /** Stored as the first; a second person must say the same. */
  | { is: 'waiting' }
  /** One person may act as both, so it was not counted, and the first decision stays. */
  | { is: 'not two people'; first: Proposed };

/**
 * Stores a person's decision where two must take the same. A second person who takes the same agrees; another decision
 * takes the place of the one before, and so does that of a person where the first was dismissed since.
 *
 * One person with two accounts is one, by the e-mail; and so are two where one gave the other new credentials within a
 * day, or a third gave both theirs.
 */
export async function decideTogether(em: EntityManager, step: ProposalStep, word: ProposedWord): Promise<Together> {
  const { attemptId, answer, note, by } = word;
  return transact(em, async (tx) => {
    await lockAttempt.first(tx, { attemptId });
    const first = await proposed.first(tx, { attemptId, step });
    const isSame = first !== undefined && first.answer === answer && (await mayStillDecide(tx, first.byAccount));
    const isOther = isSame && first.byAccount !== by.account && first.byEmail !== by.email;
    if (isOther) {
      const since = first.createdAt;
      const areTwo = await areTwoPeople(tx, { first: first.byEmail, second: by.email, since });
      await auditDecision(tx, { word, fieldName: areTwo ? 'second_word' : 'second_word_not_counted' });
      return areTwo ? { is: 'agreed', first } : { is: 'not two people', first };
    }
    const [byAccount, byName, byEmail] = [by.account, by.name, by.email];
    await propose.run(tx, { attemptId, step, answer, note, byAccount, byName, byEmail });
    await auditDecision(tx, { word, fieldName: 'first_word' });
    return { is: 'waiting' };
  });
}

/**
 * Every word of a person about a refund, before its workflow hears it: so no decision is without a name and a reason.
 */
export const auditDecision = (
  em: EntityManager,
  { word, fieldName }: { word: Omit<Word, 'answer'> & { answer: string }; fieldName: string },
): Promise<void> =>
  recordAudit(em, {
    entityType: 'refund_attempt',
    entityId: word.attemptId,
    fieldName,
    newValue: word.note === '' ? word.answer : `${word.answer}: ${word.note}`,
    changeSource: 'admin',
    staffId: word.by.staffId,
    staffName: word.by.name,
  });

const forgetStep = sql('doubts.forgetStep')`delete from refund_proposal where attempt_id = $attemptId and step = $step`;

const openOne = sql('doubts.openOne')`
  insert into refund_case (attempt_id, first_by, first_note, first_at, second_by, second_note, amount, currency_code,
    means)
  select a.attempt_id, a.resolved_by, a.resolution_note, a.updated_at, $secondBy, $secondNote, a.amount,
    a.currency_code, $means
  from refund_attempt a
  where a.attempt_id = $attemptId and a.state = 'booked' and a.resolved_by is not null
    and a.updated_at > now() - interval '${wrongWithinDays} days'
  on conflict (attempt_id) do nothing
  returning case_id`;

const caseOf = sql('doubts.caseOf')`
  select closed_at is not null as is_closed from refund_case where attempt_id = $attemptId`;

/** What a word that calls another wrong finds: a case that it opens, or the one that was there before. */
export type CaseOpening = 'opened' | 'open before' | 'closed before';

/**
 * Opens a case about a wrong "refunded": it keeps both words, and moves neither money nor a state. A repeat changes
 * nothing, and says what became of the case.
 *
 * Refused with 400: no person said "refunded", or more than 180 days ago.
 */
export async function openRefundCase(
  em: EntityManager,
  { attemptId, note, means, by }: { attemptId: number; note: string; means: RefundCaseMeans; by: Decider },
): Promise<CaseOpening> {
  return transact(em, async (tx) => {
    const opened = await openOne.first(tx, { attemptId, secondBy: by.name.slice(0, 255), secondNote: note, means });
    if (!opened) {
      const before = await caseOf.first(tx, { attemptId });
      if (before) return before.isClosed ? 'closed before' : 'open before';
      throw invalid('Only a "refunded" that a person said in the last %1 days can be called wrong.', [wrongWithinDays]);
    }
    await forgetStep.run(tx, { attemptId, step: 'open_case' });
    await auditDecision(tx, { word: { attemptId, answer: 'that was wrong', note, by }, fieldName: 'case_opened' });
    return 'opened';
  });
}

export type RefundCaseRow = RowFrom<typeof cases>;

const everyCase = `
  select c.case_id, c.attempt_id, c.first_by, c.first_note, c.first_at, c.second_by, c.second_note, c.amount,
    c.currency_code, c.means, c.opened_at, c.closed_by, c.closed_at, a.order_id, a.return_id, a.payment_method,
    a.payment_reference, a.gateway_reference, a.name_tail, o.store_id, o.increment_id as order_number,
    r.increment_id as return_number, l.name as location_name, a.base_amount, p.by_name as proposal_by,
    p.note as proposal_note
  from refund_case c
  left join refund_proposal p on p.attempt_id = c.attempt_id and p.step = 'close_case'
  join refund_attempt a on a.attempt_id = c.attempt_id
  join sales_order o on o.entity_id = a.order_id
  left join sale_return r on r.return_id = a.return_id
  left join lateral (
    select location_id from pos_receipt where order_increment_id = o.increment_id order by receipt_id desc
      limit 1) t on true
  left join pos_location l on l.location_id = coalesce(r.location_id, t.location_id)
  where ($locationIds::bigint[] is null or l.location_id = any($locationIds::bigint[]))`;

const openCases = `${everyCase} and c.closed_at is null`;

const cases = sql('doubts.cases', {
  takes: { locationIds: orNull(integers) },
})`${openCases} order by c.opened_at limit $most`;

const oneCase = sql('doubts.oneCase', {
  takes: { locationIds: orNull(integers) },
})`${everyCase} and c.case_id = $caseId`;

const counted = sql('doubts.counted', { takes: { locationIds: orNull(integers) } })`
  select (select count(*) from (${doubts} and a.state = 'uncertain' limit $most) d)
    + (select count(*) from (${openCases} limit $most) e) as questions`;

/** Of all shops: without the joins that tell whose a question is, which are slow to plan, and every page counts. */
const countedAll = sql('doubts.countedAll')`
  select (select count(*) from (select from refund_attempt where state = 'uncertain' limit $most) d)
    + (select count(*) from (select from refund_case where closed_at is null limit $most) e) as questions`;

/** How many questions and cases are open, up to so many of each. */
export async function countQuestions(em: EntityManager, seen: Seen & { most: number }): Promise<number> {
  const found = await (seen.locationIds === null ? countedAll.first(em, seen) : counted.first(em, seen));
  return found?.questions ?? 0;
}

/** One case, open or closed; undefined where there is none, or where it is of another's shop. */
export const refundCaseOf = (em: EntityManager, seen: Seen & { caseId: number }): Promise<RefundCaseRow | undefined> =>
  oneCase.first(em, seen);

/** Cases without a proof, the oldest first. */
export const openRefundCases = (em: EntityManager, seen: Seen & { most: number }): Promise<RefundCaseRow[]> =>
  cases.all(em, seen);

const close = sql('doubts.close')`
  update refund_case set closed_by = $closedBy, proof = $proof, closed_at = now()
  where case_id = $caseId and closed_at is null returning attempt_id`;

/**
 * Closes a case with the proof that the money was handed back. A repeat changes nothing. @returns whether it was open
 */
export async function closeRefundCase(
  em: EntityManager,
  { caseId, proof, by }: { caseId: number; proof: string; by: Decider },
): Promise<boolean> {
  return transact(em, async (tx) => {
    const closed = await close.first(tx, { caseId, closedBy: by.name.slice(0, 255), proof });
    if (!closed) return false;
    await forgetStep.run(tx, { attemptId: closed.attemptId, step: 'close_case' });
    const word = { attemptId: closed.attemptId, answer: 'handed back', note: proof, by };
    await auditDecision(tx, { word, fieldName: 'case_closed' });
    return true;
  });
}

const decided = sql('doubts.decided')`
  delete from refund_proposal p using refund_attempt a
  where p.attempt_id = $attemptId and p.step = 'decision' and a.attempt_id = p.attempt_id
    and a.state in ('booked', 'failed')`;

/** A decided refund waits for no second word. */
export const forgetProposal = (em: EntityManager, attemptId: number): Promise<number> => decided.run(em, { attemptId });
