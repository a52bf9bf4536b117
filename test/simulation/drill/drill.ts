import { setTimeout as pause } from 'node:timers/promises';
import type { Lane } from '../../crash/lane.ts';
import { aStaffMember } from '../../support/builders/counter.ts';
import { evening } from '../evening.ts';
import { findWrong } from '../find-wrong.ts';
import { salesFor, work, type Ledger, type Register } from './shift.ts';
import { troubles, type TroubleName } from './trouble.ts';

export interface Drill {
  lane: Lane;
  trouble: TroubleName;
  /** How long the trouble lasts. */
  seconds: number;
  registers: number;
  salesEach: number;
  /** Registers work before the trouble and after it for so long. */
  quietSeconds: number;
  postgresPid: number;
}

/** What came of a drill; all is well when nothing is wrong. */
export interface DrillReport {
  trouble: string;
  statuses: Record<string, number>;
  slowestSeconds: number;
  /** Writes that were answered with 200. */
  acknowledged: number;
  wrong: string[];
}

/**
 * Registers sign in, read, comment and take goods back while the database or the sign-in is in trouble. Every request
 * has an answer in time, what was answered with 200 is there afterwards, and the books are right.
 */
export async function runDrill({
  lane,
  trouble,
  seconds,
  registers,
  salesEach,
  quietSeconds,
  postgresPid,
}: Drill): Promise<DrillReport> {
  const ledger: Ledger = { lane, statuses: new Map(), slowestSeconds: 0, comments: [], returns: [], wrong: [] };
  const staffed: Register[] = [];
  for (let at = 0; at < registers; at++) {
    const { email } = await aStaffMember(lane.orm.em.fork());
    staffed.push({ name: `${trouble}-${at}`, email, sales: await salesFor(lane, salesEach) });
  }
  let isOver = false;
  const shift = Promise.all(staffed.map((register) => work(ledger, register, () => isOver)));
  await pause(quietSeconds * 1_000);
  const result = await troubles[trouble]({ lane, seconds, postgresPid });
  await pause(quietSeconds * 1_000);
  isOver = true;
  await shift;
  await evening(lane);
  return {
    trouble: result,
    statuses: Object.fromEntries(ledger.statuses),
    slowestSeconds: Math.round(ledger.slowestSeconds * 10) / 10,
    acknowledged: ledger.comments.length + ledger.returns.length,
    wrong: [
      ...ledger.wrong,
      ...(await findLost(ledger)),
      ...signInsRefused(ledger, trouble),
      ...(await findWrong(lane)),
    ],
  };
}

/** Answered with 200, and not there. */
async function findLost({ lane, comments, returns }: Ledger): Promise<string[]> {
  const em = lane.orm.em.fork();
  const lostComments = await em.execute<{ words: string }[]>(
    `select w.words from unnest(string_to_array(?, ' ')) as w (words)
     where not exists (select from sales_order_status_history h where h.comment = w.words)`,
    [comments.join(' ')],
  );
  const kept = await em.execute<{ return_id: number; order_id: number }[]>(
    'select return_id, order_id from sale_return',
  );
  const lostReturns = returns.filter(
    ({ id, orderId }) => !kept.some((row) => row.return_id === id && row.order_id === orderId),
  );
  return [
    ...lostComments.map(({ words }) => `the comment ${words} is lost`),
    ...lostReturns.map(({ id }) => `the return ${id} is lost`),
  ];
}

/** A crowd without a token, and an order that is held, are no business of a cashier who signs in. */
const signInsRefused = ({ statuses }: Ledger, trouble: TroubleName): string[] =>
  trouble === 'frozen'
    ? []
    : [...statuses].flatMap(([kind, count]) =>
        kind.startsWith('sign-in') && kind !== 'sign-in 200' ? [`${kind}: ${count} times`] : [],
      );
