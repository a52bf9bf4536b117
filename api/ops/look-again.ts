import { auditDecision } from '../../db/ops/doubts.ts';
import { invalid } from '../../domain/errors.ts';
import { lookAgain } from '../temporal/look-again.ts';
import { backOvertaken, backWith, doubtOrNone } from './decisions.ts';
import type { PageAnswer, Visit } from './visit.ts';

/** Asks the processor again about a refund that a person decided as not made; what it finds is booked by its workflow. */
export async function lookAgainAt(visit: Visit): Promise<PageAnswer> {
  const { em, person, parts, requestId } = visit;
  const { attemptId, state, resolvedBy } = await doubtOrNone(visit, visit.params['attemptId']);
  if (state !== 'failed' || resolvedBy === null) return backOvertaken('before', attemptId);
  await parts.workflows.refuseWhileAway();
  await auditDecision(em, { word: { attemptId, answer: 'ask', note: '', by: person }, fieldName: 'asked_again' });
  const { state: now, evidence, message } = await lookAgain({ workflows: parts.workflows, requestId, attemptId });
  if (now === 'booked') return backWith('healed');
  if (evidence === 'refunded') throw invalid(message ?? visit.w.staysNot);
  return backWith('stays');
}
