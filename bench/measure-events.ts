import type { EntityManager } from '@mikro-orm/postgresql';
import { columns } from '../cli/support.ts';
import type { BenchProcess } from './processes.ts';
import { sell } from './sell.ts';
import { cpuOf, databaseMs, median, spread, verdict } from './support.ts';

export interface EventsInput {
  em: EntityManager;
  api: BenchProcess;
  token: string;
  postgresPid: number;
  rounds: number;
  say: (line: string) => void;
}

/** Milliseconds of a processor that a sale takes, API and database together: as it is, and with nobody told of it. */
export interface EventsMeasured {
  rounds: { told: number; silent: number }[];
}

const salesEachRound = 60;
const warmUpRounds = 2;
const mostOfASale = 1.05;

/** Sales in turns with the triggers that write events, and without them: order, invoice and shipment each. */
export async function measureEvents({
  em,
  api,
  token,
  postgresPid,
  rounds,
  say,
}: EventsInput): Promise<EventsMeasured> {
  const triggers = await em.execute<{ on_table: string; name: string }[]>(
    `select tgrelid::regclass::text as on_table, tgname as name from pg_trigger where tgname in ('pos_told',
      'pos_told_in')`,
  );
  const turn = (how: 'enable' | 'disable') =>
    em.execute(triggers.map(({ on_table: table, name }) => `alter table ${table} ${how} trigger ${name}`).join(';'));
  const used = () => cpuOf([api.pid]) + databaseMs(postgresPid);
  const costOf = async (name: string) => {
    const before = used();
    await sell(
      { apiUrl: api.url, token },
      Array.from({ length: salesEachRound }, (_, n) => `${name}-${n}`),
    );
    return (used() - before) / salesEachRound;
  };
  const measured: EventsMeasured['rounds'] = [];
  for (let round = 1 - warmUpRounds; round <= rounds; round++) {
    const reported = await costOf(`told-${round}`);
    await turn('disable');
    const silent = await costOf(`silent-${round}`);
    await turn('enable');
    if (round > 0) measured.push({ told: reported, silent });
    say(`  a sale, round ${round}: ${reported.toFixed(1)} ms told, ${silent.toFixed(1)} ms not`);
  }
  return { rounds: measured };
}

export function reportEvents({ rounds }: EventsMeasured): string {
  const ratios = rounds.map(({ told, silent }) => told / silent);
  const middle = (of: (one: (typeof rounds)[number]) => number) => median(rounds.map(of)).toFixed(1);
  const target = `≤ ${mostOfASale} ${verdict(median(ratios) <= mostOfASale)}`;
  return `\n${columns([
    ['A SALE, CPU ms', 'WITH ITS EVENTS', 'WITHOUT', 'RATIO (spread)', 'TARGET'],
    ['order, invoice, shipment', middle(({ told }) => told), middle(({ silent }) => silent), spread(ratios), target],
  ])}`;
}
