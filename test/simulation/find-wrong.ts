import { readGatewayLedger } from '../../cli/support/read-gateway-ledger.ts';
import { verify } from '../../db/verify/verify.ts';
import { add, formatAmount, money, zero, type Amount } from '../../domain/money/amount.ts';
import type { Lane } from '../crash/lane.ts';

/** What is wrong with the books, and what no register should have seen. */
export async function findWrong(lane: Lane): Promise<string[]> {
  const findings = await verify(lane.orm.em.fork(), { readLedger: () => readGatewayLedger(lane.gateway.url) });
  const [booked, given] = [await sumBooked(lane), sumGivenBack(lane)];
  return [
    ...findings.map(({ id, sentence, rows }) => `${id} ${sentence} ${JSON.stringify(rows.slice(0, 3))}`),
    ...(booked === given ? [] : [`${formatAmount(booked)} booked, ${formatAmount(given)} given back`]),
    ...lane.teller.faults,
    ...Object.values(lane.processes).flatMap(({ ownEnds }) => ownEnds),
  ];
}

/** What the gateway really gave back, whatever it said. */
const sumGivenBack = ({ gateway }: Lane): Amount =>
  add(zero, ...gateway.ledger.refunds.filter(({ state }) => state === 'refunded').map((refund) => refund.amount));

async function sumBooked({ orm }: Lane): Promise<Amount> {
  const [row] = await orm.em
    .fork()
    .execute<{ sum: string }[]>(`select coalesce(sum(amount), 0) as sum from refund_attempt where state = 'booked'`);
  return money(row?.sum ?? '0');
}
