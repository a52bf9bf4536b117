import type { ReturnRecord } from '../../db/returns/return.repository.ts';
import type { Surroundings } from '../http/route.ts';
import { tellReplay } from '../http/tell-replay.ts';
import { renderReturn } from './render-return.ts';

/** A return in a final status never changes (spec 3.2): nothing more is booked. */
export function answerEnded(request: Pick<Surroundings, 'setHeader'>, rma: ReturnRecord) {
  tellReplay(request);
  return renderReturn(rma);
}
