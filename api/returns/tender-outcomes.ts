import {
  lineWithoutGateway,
  methodBesideTenders,
  referenceTwice,
  settledOtherwise,
  settlementFixed,
  tenderLineRefunded,
  tenderNamedTwice,
  tendersDiffer,
  tendersUnfinished,
  tenderTookLess,
  tenderUnclear,
  tenderUnknown,
} from '../../domain/refusals/tenders.ts';
import type { Outcome } from '../http/route.ts';

/** What a settle by several tenders is answered with besides what every settle is. */
export const tenderOutcomes: readonly Outcome[] = [
  tendersDiffer,
  tenderUnknown,
  tenderNamedTwice,
  referenceTwice,
  tenderUnclear,
  lineWithoutGateway,
  tenderTookLess,
  methodBesideTenders,
  settlementFixed,
  settledOtherwise,
  tenderLineRefunded,
  tendersUnfinished,
  {
    status: 400,
    code: 'tender_declined',
    message: 'The refund did not go through: The gateway refused the refund.',
    when: 'The card of a tender line declined. Later lines were not called; `tender_lines` has the state of each.',
    then: 'Settle again: lines that went back unchanged, the declined part by another tender.',
  },
];
