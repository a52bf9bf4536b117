import { add, formatAmount, money, subtract, zero, type Amount } from '../../../domain/money.ts';
import type { Lane } from '../../crash/lane.ts';
import { wallet } from './sell.ts';
import type { Account } from './account.ts';

/** Every row about one order that money left behind, as texts: nothing of the product works on them. */
interface Rows {
  paid: string;
  grand_total: string;
  spent: string;
  memos: { total: string; legs: string; is_by_gateway: boolean }[];
  wallet: string;
}

/**
 * Works out for one order whether more went out than came in, without a register or a rule of the product: memos,
 * wallet and the processor's ledger on the one side, what was offered and spent on the other. All in the base currency.
 *
 * @returns sentences about what is wrong
 */
export async function moneyFaults(lane: Lane, account: Account): Promise<string[]> {
  const rows = await rowsOf(lane, account);
  const spent = money(rows.spent);
  const moneyIn = subtract(money(rows.paid), spent);
  const handbacks = add(zero, ...rows.memos.map(handbackOf));
  const issued = account.issuedAsCredit;
  const creditOut = subtract(add(money(rows.wallet), spent), money(String(wallet)), issued);
  const byHand = add(zero, ...rows.memos.filter(({ is_by_gateway }) => !is_by_gateway).map(handbackOf));
  const gateway = atProcessor(lane, account);
  const checks: [string, Amount, Amount][] = [
    ['booked as paid beside what was offered', moneyIn, account.offered],
    ['paid beside the total', money(rows.paid), money(rows.grand_total)],
    ['money given back beside money taken', handbacks, moneyIn],
    ['credit given back beside credit spent', creditOut, spent],
    ['handed out as credit beside what no gateway gave', issued, byHand],
    [
      'given back by the processor beside memos through it',
      gateway,
      inOrderCurrency(account, subtract(handbacks, byHand)),
    ],
    ['all that went out beside all that came in', add(handbacks, creditOut), add(moneyIn, spent)],
  ];
  return checks
    .filter(([, out, most]) => out > most)
    .map(
      ([what, out, most]) =>
        `${account.kind} order ${account.incrementId} (${account.orderId}): ${what}: ${formatAmount(out)} > ${formatAmount(most)}`,
    );
}

const handbackOf = ({ total, legs }: Rows['memos'][number]): Amount => subtract(money(total), money(legs));

/** The gateway works in the order's currency: a cent more for each conversion. */
const inOrderCurrency = ({ rate }: Account, base: Amount): Amount =>
  rate === 1 ? base : money((Math.ceil((base / 10_000) * rate * 100 + 3) / 100).toFixed(4));

const atProcessor = ({ gateway }: Lane, { incrementId }: Account): Amount =>
  add(
    zero,
    ...gateway.ledger.refunds
      .filter((refund) => refund.state === 'refunded' && refund.orderReference === incrementId)
      .map((refund) => refund.amount),
  );

async function rowsOf({ orm }: Lane, { orderId, customerId }: Account): Promise<Rows> {
  const [row] = await orm.em.fork().execute<Rows[]>(
    `select o.base_total_paid as paid, o.base_grand_total as grand_total,
       (select coalesce(sum(base_amount), 0)::text from order_credit where order_id = o.entity_id) as spent,
       (select coalesce(json_agg(json_build_object('total', m.base_grand_total::text, 'legs',
          (select coalesce(sum(r.base_amount), 0)::text from order_credit_return r
            where r.credit_memo_id = m.entity_id),
          'is_by_gateway', m.refund_attempt_id is not null)), '[]')
        from sales_creditmemo m where m.order_id = o.entity_id) as memos,
       (select coalesce(sum(amount), 0)::text from store_credit_wallet where customer_id = ?) as wallet
     from sales_order o where o.entity_id = ?`,
    [customerId, orderId],
  );
  if (!row) throw new Error(`order ${orderId} is gone`);
  return row;
}
