import { columns } from '../cli/support.ts';
import type { Compared } from './compare.ts';
import { sumOf, type ReturnsMeasured } from './measure-returns.ts';
import { median, spread, verdict } from './support.ts';

/** Ratios beside their targets, medians over the rounds with their range. */
export function reportPaths(paths: readonly Compared[]): string {
  const rows = paths.map((path) => {
    const ratios = ratiosOf(path);
    return [
      path.name,
      String(path.load.connections),
      figures(path, 'api'),
      figures(path, 'plain'),
      spread(ratios),
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

const mostOfBare = 1.7;
const mostOfPlain = 0.55;

/**
 * Each way of a return beside its bare flow: processor time, events; by card also its time beside eight remote steps.
 */
export function reportReturns({ flows, byCard }: ReturnsMeasured): string {
  const rows = flows.map(({ name, rounds, events, mostEvents }) => {
    const ratios = rounds.map(({ ours, bare }) => sumOf(ours) / sumOf(bare));
    const ms = (side: 'ours' | 'bare') =>
      (['api', 'worker', 'engine', 'database'] as const)
        .map((part) => median(rounds.map((round) => round[side][part])).toFixed(0))
        .join(' + ');
    const rate = (side: 'ours' | 'bare') => median(rounds.map((round) => round[side].perSecond)).toFixed(1);
    return [
      `return ${name}`,
      `${rate('ours')} / ${rate('bare')}`,
      ms('ours'),
      ms('bare'),
      spread(ratios),
      `≤ ${mostOfBare} ${verdict(median(ratios) <= mostOfBare)}`,
      `${events} (≤ ${mostEvents} ${verdict(events <= mostEvents)})`,
    ];
  });
  const head = [
    'EIGHT AT ONCE',
    'A SECOND, OURS / BARE',
    'OURS: API + WORKER + ENGINE + DATABASE, CPU ms',
    'BARE FLOW: CLIENT + WORKER + ENGINE',
    'RATIO (spread)',
    'TARGET',
    'EVENTS',
  ];
  const ratios = byCard.map(({ returnMs, gatewayMs, plainMs }) => (returnMs - gatewayMs) / plainMs);
  const ms = (of: 'returnMs' | 'plainMs' | 'gatewayMs') => median(byCard.map((round) => round[of])).toFixed(1);
  const line =
    `One client: a return by card takes ${ms('returnMs')} ms, ${ms('gatewayMs')} of them its gateway; eight remote steps ` +
    `${ms('plainMs')} ms: ${spread(ratios)} (≤ ${mostOfPlain} ${verdict(median(ratios) <= mostOfPlain)})`;
  return `\n${columns([head, ...rows])}\n${line}`;
}

/** A process's memory after the load, beside its limit. */
export function reportMemory(name: string, memory: { now: number; most: number } | undefined, atMost: number): string {
  if (!memory) return `Memory of ${name}: this system does not tell.`;
  return `Memory of ${name}: ${memory.now} MB after the load, ${memory.most} MB at most (target ≤ ${atMost} MB, ${verdict(memory.now <= atMost)})`;
}
