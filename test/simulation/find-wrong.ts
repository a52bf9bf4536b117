import { add, formatAmount, money, zero, type Amount } from '../../domain/money.ts';
import { bookFaults } from '../crash/examine.ts';
import type { Lane } from '../crash/lane.ts';

/** What is wrong with the books, and what no register should have seen. */
export async function findWrong(lane: Lane): Promise<string[]> {
  const books = await bookFaults(lane);
  const [booked, given] = [await sumBooked(lane), sumGivenBack(lane)];
  return [
    ...books,
    ...(booked === given ? [] : [`${formatAmount(booked)} booked, ${formatAmount(given)} given back`]),
    ...[lane.teller, ...lane.moreTellers].flatMap(({ faults }) => faults),
    ...[...Object.values(lane.processes), ...lane.moreProcesses].flatMap(({ ownEnds }) => ownEnds),
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
