import type { Outcome } from '../../http/route.ts';
import { waitedTooLong, workflowsAway } from '../../wire/outcomes.ts';

/** The refusals and doubts of a refund through a gateway. */
export const onlineOutcomes: readonly Outcome[] = [
  {
    status: 404,
    message: "The entity that was requested doesn't exist. Verify the entity and try again.",
    when: 'The order or the invoice is unknown, or the invoice belongs to another order.',
  },
  {
    status: 400,
    message: 'If the invoice was created offline, try creating an offline credit memo.',
    when: 'The gateway cannot tell which payment it would give back: the order kept no reference of it.',
    then: 'Give the money back another way, and refund offline.',
  },
  {
    status: 400,
    message: 'The refund action is not available.',
    when: 'No gateway is set up for the payment method of the order.',
    then: 'Give the money back another way, and refund offline.',
  },
  {
    status: 400,
    code: 'gateway_refused',
    message: 'The refund did not go through: …',
    when: 'The gateway said no. Nothing was booked.',
    then: 'Read `parameters.refund_attempt_id`; give the money back another way, and refund offline.',
  },
  {
    status: 409,
    code: 'gateway_uncertain',
    message: 'The gateway has not said whether the refund went through. Nothing is refunded until that is known.',
    when: 'The answer of the gateway was lost, or another refund of the order without a return is undecided.',
    then: 'Ask for the attempt in `parameters.refund_attempt_id` until it is `booked` or `failed`; send nothing again before.',
  },
  workflowsAway,
  waitedTooLong,
];
