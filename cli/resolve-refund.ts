import { refuseCardData } from '../domain/card-data.ts';
import { invalid } from '../domain/errors.ts';
import { resolveUpdate } from '../workflows/refunds/messages.ts';
import { decideAttempt, rowId, type Answer, type CommandContext } from './support.ts';

export interface ResolveOptions {
  staff: string;
  note: string;
}

/**
 * `refunds resolve ID refunded|not_refunded --staff NAME --note TEXT`: a person's answer about the money (spec 3.3).
 * It is stored with name and note; the gateway is not called.
 *
 * Refused with 400 for another word, an empty name or note, a card number in the note; 404 for an unknown attempt.
 */
export async function resolveRefund(
  context: CommandContext,
  id: string,
  resolution: string,
  { staff, note }: ResolveOptions,
): Promise<Answer> {
  if (resolution !== 'refunded' && resolution !== 'not_refunded') {
    throw invalid('Say "refunded" or "not_refunded", not "%1".', [resolution]);
  }
  if (!staff.trim() || !note.trim()) throw invalid('Say who you are (--staff) and how you know (--note).');
  refuseCardData(note);
  return decideAttempt(context, {
    attemptId: rowId(id, 'refund-attempt'),
    decision: resolution,
    update: resolveUpdate,
    request: { resolution, staffName: staff.trim(), note: note.trim() },
  });
}
