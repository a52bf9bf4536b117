import { refusal } from './refusal.ts';

/** What the tenders of an order and of a refund are refused with. */

export const posTendersDiffer = refusal(
  400,
  'The tenders come to %sum; the order less its credit and less what stays due is %expected.',
  {
    code: 'pos_tenders_differ',
    when: 'The sum of `pos_tenders` is not what was paid with the sale. `sum` and `expected` are both figures.',
    then: 'Send each tender with what it took, without change.',
  },
);

export const posTendersOfLayaway = refusal(400, 'A layaway has no pos_tenders: each payment has its own method.', {
  when: '`pos_tenders` came with a layaway.',
});

export const tendersDiffer = refusal(400, 'The tenders come to %sum; the handback is %handback.', {
  code: 'tenders_differ',
  when: 'The sum of `tenders` is not what the return gives back. `sum` and `handback` are both figures.',
  then: 'Read the preview again, and send lines that come to its `handback`.',
});

export const tenderUnknown = refusal(400, 'The order has no tender line %line_id.', {
  code: 'tender_unknown',
  when: '`line_id` is no line of the preview.',
  then: 'Read the preview again.',
});

export const tenderNamedTwice = refusal(400, 'Tender line %line_id is named twice.', {
  code: 'tender_named_twice',
  when: 'Two rows of `tenders` are about one payment, or about one method without a payment.',
});

export const referenceTwice = refusal(400, 'The reference "%reference" is named twice.', {
  code: 'reference_twice',
  when: 'Two rows of `tenders` have one `reference`.',
});

export const tenderUnclear = refusal(
  400,
  'Several cards paid the sale: name the line_id of each, not only "%method".',
  {
    code: 'tender_unclear',
    when: 'A row names the method of several cards.',
    then: 'Send the `line_id` of the preview, or the `payment_id`.',
  },
);

export const lineWithoutGateway = refusal(
  400,
  'The tender cannot be refunded through a gateway. Give its part back another way.',
  {
    code: 'tender_without_gateway',
    when: '`original_payment` is asked of a tender whose preview line has another method.',
    then: 'Send the method of the preview line.',
  },
);

export const tenderTookLess = refusal(400, 'Tender line %line_id can take back %available, not %amount.', {
  code: 'tender_took_less',
  when: 'The card took less, or gave a part back. `available` is what it can take back.',
  then: 'Read the preview again, and send the rest by another tender.',
});

export const methodBesideTenders = refusal(400, 'Send either method or tenders. The tenders give most by "%method".', {
  code: 'method_beside_tenders',
  when: '`tenders` came together with another `method`.',
});

export const settlementFixed = refusal(
  400,
  'Tender line %line_id gave %amount back already: the figures of this return are fixed. Send that line unchanged, and the same adjustments.',
  {
    code: 'settlement_fixed',
    when: 'A line went back, and the settle has other figures, or the line otherwise.',
    then: 'Read the return, and send its lines. Only lines that have not gone back may differ.',
  },
);

export const tenderLineRefunded = refusal(
  400,
  'Tender line %line_id gave %amount back by %method already. Settle the rest with tenders that have this line.',
  {
    code: 'tender_line_refunded',
    when: 'A part of the return’s money went back.',
    then: 'Settle with `tenders`: the line that went back unchanged, and the rest by the others.',
  },
);

export const settledOtherwise = refusal(
  409,
  'The return was settled by %by: %tenders (credit memo %credit_memo_increment_id). Nothing else was booked.',
  {
    code: 'settled_otherwise',
    when: 'Another request settled the return by other tenders.',
    then: 'Hand no money out. Show who settled it, and how.',
  },
);

export const tendersUnfinished = refusal(
  503,
  'A part of the money went back, and the rest was not begun in time. Send the same settle again: no line is called twice.',
  {
    code: 'tenders_unfinished',
    when: 'The cards answered so slowly that no register waits for the rest any more. `tender_lines` has each state.',
    then: 'Hand no cash out. Send the same lines again: what went back is not called again.',
  },
);
