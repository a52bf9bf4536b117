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
