import { columns } from '../cli/support.ts';
import type { Compared } from './compare.ts';
import type { ReturnsMeasured } from './measure-returns.ts';
import { least, median, most } from './support.ts';

/** Ratios beside their targets, medians over the rounds with their range. */
export function reportPaths(paths: readonly Compared[]): string {
  const rows = paths.map((path) => {
    const ratios = ratiosOf(path);
    return [
      path.name,
      String(path.load.connections),
      figures(path, 'api'),
      figures(path, 'plain'),
      `${median(ratios).toFixed(2)} (${least(ratios).toFixed(2)}–${most(ratios).toFixed(2)})`,
      target(path, ratios),
      `${cpu(path, 'api')} / ${cpu(path, 'plain')}`,
      String(path.statements),
    ];
  });
  const head = [
    'PATH',
    'CONN.',
    'API req/s (p50)',
    'KOA + PG req/s (p50)',
    'RATIO (spread)',
    'TARGET',
    'CPU ms/req',
    'STATEMENTS',
  ];
  return `\n${columns([head, ...rows])}`;
}

/** Throughput beside the baseline's, or time beside its time, as the target says. */
const ratiosOf = ({ rounds, load }: Compared) =>
  rounds.map(({ api, plain }) =>
    load.atMost === undefined ? api.perSecond / plain.perSecond : plain.perSecond / api.perSecond,
  );

function figures({ rounds }: Compared, side: 'api' | 'plain'): string {
  const perSecond = median(rounds.map((round) => round[side].perSecond));
  return `${Math.round(perSecond)} (${median(rounds.map((round) => round[side].p50Ms)).toFixed(1)} ms)`;
}

const cpu = ({ rounds }: Compared, side: 'api' | 'plain') =>
  median(rounds.map((round) => round[side].cpuMs)).toFixed(2);

function target({ load: { atLeast, atMost } }: Compared, ratios: readonly number[]): string {
  if (atMost !== undefined) return `≤ ${atMost} in time ${median(ratios) <= atMost ? 'met' : 'MISSED'}`;
  if (atLeast === null) return 'none set';
  return `≥ ${atLeast} ${median(ratios) >= atLeast ? 'met' : 'MISSED'}`;
}

const mostOfPlain = 0.35;
const mostEvents = 14;

/** A return from create to close beside the plain workflow, without the gateway's own time. */
export function reportReturns({ rounds, historyEvents }: ReturnsMeasured): string {
  const ratios = rounds.map(({ returnMs, gatewayMs, plainMs }) => (returnMs - gatewayMs) / plainMs);
  const ms = (of: 'returnMs' | 'plainMs' | 'leastMs' | 'gatewayMs') =>
    `${median(rounds.map((round) => round[of])).toFixed(1)} ms`;
  const cpuMs = (of: 'cpuMs' | 'plainCpuMs') => median(rounds.map((round) => round[of])).toFixed(1);
  const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
  const ratio = `${median(ratios).toFixed(2)} (${least(ratios).toFixed(2)}–${most(ratios).toFixed(2)})`;
  const head = [
    'FLOW',
    'API p50',
    'GATEWAY p50',
    'EIGHT EMPTY STEPS p50',
    'LEAST p50',
    'RATIO (spread)',
    'CPU ms',
    'TARGET',
    'HISTORY EVENTS',
  ];
  const row = [
    'return create to closed',
    ms('returnMs'),
    ms('gatewayMs'),
    ms('plainMs'),
    ms('leastMs'),
    ratio,
    `${cpuMs('cpuMs')} / ${cpuMs('plainCpuMs')}`,
    `≤ ${mostOfPlain} ${verdict(median(ratios) <= mostOfPlain)}`,
    `${historyEvents} (≤ ${mostEvents} ${verdict(historyEvents <= mostEvents)})`,
  ];
  return `\n${columns([head, row])}`;
}

/** A process's memory after the load, beside its limit. */
export function reportMemory(name: string, memory: { now: number; most: number } | undefined, atMost: number): string {
  if (!memory) return `Memory of ${name}: this system does not tell.`;
  const verdict = memory.now <= atMost ? 'met' : 'MISSED';
  return `Memory of ${name}: ${memory.now} MB after the load, ${memory.most} MB at most (target ≤ ${atMost} MB, ${verdict})`;
}
