import type { CrashFlow } from './crash-flow.ts';
import { examine, untilQuiet } from './examine.ts';
import { openLane, processNames, type Lane, type PointOfStep, type ProcessName, type Step } from './lane.ts';

/** One moment at which one process of one flow dies. */
export interface CrashPoint extends PointOfStep {
  flow: string;
  process: ProcessName;
}

export interface Tried {
  point: CrashPoint;
  /** `missed`: the flow went by without that step, as far as we tried. */
  outcome: 'passed' | 'failed' | 'missed';
  ms: number;
  faults: string[];
}

/** Steps may come in another number from run to run, as a retry does; a point is looked for this often. */
const mostAttempts = 3;

export const describePoint = ({ flow, process, name, nth, variant }: CrashPoint): string =>
  `${flow} ${process} ${variant === 'before' ? 'before' : 'reply lost of'} [${name}]${nth > 1 ? ` #${nth}` : ''}`;

/** Runs the flow unharmed and answers every point at which it could have been harmed. */
export async function findPoints(lane: Lane, flow: CrashFlow): Promise<CrashPoint[]> {
  const run = await flow.prepare(lane);
  for (const process of flow.processes) lane.arm(process);
  await run.go();
  await untilQuiet(lane, run);
  const found = flow.processes.flatMap((process) => pointsOf(flow, process, lane.disarm(process).steps));
  const faults = await examine(lane, run);
  if (faults.length > 0) throw new Error(`${flow.id} is wrong without any crash: ${faults.join('; ')}`);
  return found;
}

/** What arrives cannot be told apart from what was never sent: of a task taken there is only an after. */
const arrives = (name: string) => / taken$|^Temporal: workflow task with/.test(name);

export const pointsOf = (flow: CrashFlow, process: ProcessName, steps: readonly Step[]): CrashPoint[] =>
  steps.flatMap(({ name, nth }) =>
    (arrives(name) ? (['after'] as const) : (['before', 'after'] as const)).map((variant) => ({
      flow: flow.id,
      process,
      name,
      nth,
      variant,
    })),
  );

export interface TriedPoint extends Tried {
  /** Steps seen on the way that the unharmed run did not show. */
  seen: CrashPoint[];
}

/** Kills the process at the point, lets the shop come to rest, and looks for anything wrong. */
export async function tryPoint(lane: Lane, flow: CrashFlow, point: CrashPoint): Promise<TriedPoint> {
  const began = performance.now();
  const seen: CrashPoint[] = [];
  for (let attempt = 1; ; attempt++) {
    // What a process reads once in its life is a step of its first request only: from the second look on it is new.
    const { hasFired, faults, steps } = await runOnce(lane, flow, { point, isNew: attempt > 1 });
    seen.push(...pointsOf(flow, point.process, steps));
    if (hasFired || faults.length > 0 || attempt === mostAttempts) {
      const outcome = faults.length > 0 ? 'failed' : hasFired ? 'passed' : 'missed';
      return { point, outcome, ms: Math.round(performance.now() - began), faults, seen };
    }
  }
}

async function runOnce(lane: Lane, flow: CrashFlow, { point, isNew }: { point: CrashPoint; isNew: boolean }) {
  let end = { hasFired: false, steps: [] as Step[] };
  try {
    const run = await flow.prepare(lane);
    if (isNew) await lane.processes[point.process].begin();
    lane.arm(point.process, point);
    await run.go();
    // A workflow may have its last task still before it when the register has its answer.
    await untilQuiet(lane, run);
    end = await lane.disarmOnceFired(point.process);
    await untilQuiet(lane, run);
    const faults = await examine(lane, run);
    return { ...end, faults: faults.length === 0 ? [] : [...faults, ...troublesOf(lane)] };
  } catch (error) {
    return { ...end, faults: [String(error), ...troublesOf(lane)] };
  }
}

/** For the reader of a fault. */
const troublesOf = ({ processes }: Lane): string[] =>
  processNames.flatMap((name) => processes[name].troubles.map((line) => `${name}: ${line}`));

/** A lane that is opened anew after anything went wrong in it, so that one fault is told once. */
export class FreshLane {
  readonly #temporalAddress: string;
  #lane: Promise<Lane> | undefined;

  constructor(temporalAddress: string) {
    this.#temporalAddress = temporalAddress;
  }

  get(): Promise<Lane> {
    this.#lane ??= openLane(this.#temporalAddress);
    return this.#lane;
  }

  async drop(): Promise<void> {
    // One that could not be opened has nothing to close.
    const lane = await this.#lane?.catch(() => undefined);
    this.#lane = undefined;
    await lane?.close();
  }
}
