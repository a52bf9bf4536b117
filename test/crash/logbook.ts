import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CrashFlow } from './crash-flow.ts';
import { describePoint, type CrashPoint, type Tried } from './points.ts';
import type { FlowTally } from './table.ts';

interface Named {
  flow: string;
  named: number;
}

/** What was tried, one line each: a run that was stopped reads it and goes on. */
export class Logbook {
  readonly #file: string;
  readonly #tried = new Map<string, Tried>();
  readonly #named = new Map<string, number>();

  constructor(file: string, { isFresh }: { isFresh: boolean }) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    if (isFresh) rmSync(file, { force: true });
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const entry: Tried | Named = JSON.parse(line);
      if ('named' in entry) this.#named.set(entry.flow, entry.named);
      else this.#tried.set(describePoint(entry.point), entry);
    }
  }

  /** How many points a run of the flow without a crash has shown. */
  noteNamed(entry: Named): void {
    this.#named.set(entry.flow, entry.named);
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  note(tried: Tried): void {
    const { point, outcome, ms, faults } = tried;
    this.#tried.set(describePoint(point), tried);
    appendFileSync(this.#file, `${JSON.stringify({ point, outcome, ms, faults })}\n`);
  }

  /** Failed points are tried again: somebody may have mended them. */
  isPassed(point: CrashPoint): boolean {
    return this.#tried.get(describePoint(point))?.outcome === 'passed';
  }

  /** How far the flow has come; no point of one that never ran is named yet. */
  of(flow: CrashFlow): FlowTally {
    const tried = [...this.#tried.values()].filter(({ point }) => point.flow === flow.id);
    return { flow, named: Math.max(this.#named.get(flow.id) ?? 0, tried.length), tried };
  }
}
