import { maskCode } from '../../domain/credits/applied-credit.ts';
import { at, list } from './json-sql.ts';
import { event, type StoryEvent, type Way } from './story.ts';
import type { SaleReported } from './sale-rows.ts';

/** The rows of an order `o`, as JSON. */
export const pointsRows = list(
  { kind: 'e.kind', delta: 'e.delta', at: at('e.created_at') },
  `from reward_points_entry e where e.order_id = o.entity_id and e.kind in ('earned', 'voided')`,
  'e.entry_id',
);

/** `100 reward points were earned.`, one event for each entry of the ledger. */
export const pointsEvents = ({ points, w }: Pick<SaleReported, 'points' | 'w'>): StoryEvent[] =>
  points.map(({ kind, delta, at: moment }) =>
    event({
      at: moment,
      what: kind === 'earned' ? w.pointsEarned(delta) : w.pointsVoided(-delta),
    }),
  );

/** The rows of an order `o`, as JSON. */
export const creditRefundRows = list(
  {
    refundId: 'f.refund_id',
    kind: 'f.kind',
    code: 'f.code',
    amount: 'f.amount::text',
    state: 'f.state',
    message: 'f.message',
    at: at('coalesce(f.concluded_at, f.created_at)'),
  },
  'from credit_refund f where f.order_id = o.entity_id',
  'f.refund_id',
);

/** The outcome of each: given, refused, or not known yet. */
export const creditRefundEvents = ({ order, creditRefunds, w }: SaleReported): StoryEvent[] =>
  creditRefunds.map(({ refundId: id, kind, code, state, message, amount, at: moment }) =>
    event({
      at: moment,
      what: w.creditRefund({ id, kind, code: maskCode(code ?? ''), state, message }),
      amount: w.amount(amount, order.currency),
    }),
  );

/** What refunds of an order `o` promised as store credit and no one issued, as text; null: nothing. */
export const promisedCreditText = '(select s.amount::text from store_credit_promise s where s.order_id = o.entity_id)';

/** The request that issues what is promised, in the order's currency. */
export const waysOnForPromise = ({
  order,
  promisedCredit,
  w,
}: Pick<SaleReported, 'order' | 'promisedCredit' | 'w'>): Way[] =>
  promisedCredit === null
    ? []
    : [
        w.ways.issueCredit(
          w.amount(promisedCredit, order.currency),
          JSON.stringify({
            orderId: String(order.orderId),
            creditType: 'store_credit',
            provider: '',
            amount: Number(promisedCredit),
          }),
        ),
      ];
