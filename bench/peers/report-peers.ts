import { median } from '../support/statistics.ts';
import type { Driven } from './drive.ts';
import type { PeersMeasured } from './measure-peers.ts';

/**
 * The table of paths and peers as Markdown: paths a second with their spread, and the processor time of each process.
 */
export function reportPeers({ peers, rows }: PeersMeasured): string {
  const head = ['Path, 8 clients', ...peers.map(({ name, version }) => `${name} ${version}`), 'Ours beside the best'];
  const lines = rows.map(({ path, rounds }) => {
    const others = peers.slice(1).map(({ name }) => rateOf(rounds[name]));
    const best = Math.max(...others.filter((rate) => !Number.isNaN(rate)));
    const ratio = Number.isFinite(best) ? `${(rateOf(rounds[peers[0]?.name ?? '']) / best).toFixed(2)} ×` : '–';
    return [path, ...peers.map(({ name }) => cellOf(rounds[name])), ratio];
  });
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return [
    '',
    'PEERS: a second (lowest–highest round); in brackets ms of processor each: application + engine + database',
    ...table,
  ].join('\n');
}

const rateOf = (rounds: readonly Driven[] = []): number =>
  rounds.length === 0 ? Number.NaN : median(rounds.map(({ perSecond }) => perSecond));

function cellOf(rounds: readonly Driven[] = []): string {
  if (rounds.length === 0) return '–';
  const rates = rounds.map(({ perSecond }) => perSecond);
  const ms = (part: keyof Driven['cpuMs']) => median(rounds.map(({ cpuMs }) => cpuMs[part])).toFixed(0);
  const spread = `${shown(Math.min(...rates))}–${shown(Math.max(...rates))}`;
  return `${shown(median(rates))} (${spread}) [${ms('application')} + ${ms('engine')} + ${ms('database')}]`;
}

const shown = (rate: number) => (rate < 20 ? rate.toFixed(1) : rate.toFixed(0));
