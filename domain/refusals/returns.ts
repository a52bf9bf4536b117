/** What returns are refused with. */
import { refusal } from './refusal.ts';

export const tracksNotStored = refusal(400, 'Parcels of a return are not kept. Send it without tracks.', {
  when: '`tracks` has a row.',
});

export const oneStatusForAllItems = refusal(400, 'The items of a return have one status together. Send one.', {
  when: 'Several statuses are new.',
});

export const returnProcessNotFound = refusal(404, 'Return process with id %1 does not exist');

export const keyUsedForOtherReturn = refusal(400, 'This request already asked for another return.', {
  when: 'The same key or request id came with other content.',
  then: 'A new return needs a new key.',
});

export const returnNotDeletable = refusal(400, 'The return %1 is "%2" and cannot be deleted. Close it instead.', {
  when: 'Goods, money or another system take part in it.',
  then: 'Close it: `POST /V1/pos/rma/:rmaId/close`.',
});

export const returnNotFound = refusal(404, 'Return with id %1 does not exist', { when: 'No return has this id.' });

export const returnNotReceivable = refusal(
  400,
  'The goods of a return in status "%1" cannot be taken in; it has to be approved.',
  { when: 'The return is not approved, or its goods are in already.' },
);

export const returnNotSettleable = refusal(400, 'A return in status "%1" cannot be settled.');

export const resolutionsDiffer = refusal(400, 'A return is settled in one way; its lines name "%1" and "%2".', {
  when: 'Two methods.',
});

export const lineNeedsResolution = refusal(400, 'Every line of the return needs a resolution; line %1 has none.', {
  when: 'A line is missing.',
});

export const lineNamedTwice = refusal(400, 'Line %1 of the return is named twice.', {
  when: 'Two rows are about one line.',
});

export const resolutionMovesNoMoney = refusal(
  400,
  'The resolution "%1" of line %2 moves no money: leave its refund_method out.',
  { when: 'A line to repair or dispose of names a method.' },
);

export const returnHasNoLine = refusal(400, 'The return has no line %1.', {
  when: '`rma_item_id` is no `entity_id` of the return’s items.',
});

export const statusSetByVerb = refusal(
  400,
  'A return in status "%1" cannot be set to "%2" by hand; the verb "%4" does that. It can be set to: %3.',
  { when: 'A verb of its own sets this status.', then: 'Call that verb.' },
);

export const statusNotReachable = refusal(
  400,
  'A return in status "%1" cannot be set to "%2". By hand it can be set to: %3.',
  { when: 'The move is not allowed, or the status is final.', then: 'Choose one of the third parameter.' },
);

export const noRefundToCancel = refusal(400, 'A return in status "%1" has no refund to cancel.', {
  when: 'The return is not parked.',
});
