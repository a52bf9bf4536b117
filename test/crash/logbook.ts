import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { describePoint, type CrashPoint, type Tried } from './points.ts';

/** What was tried, one line each: a run that was stopped reads it and goes on. */
export class Logbook {
  readonly #file: string;
  readonly #tried = new Map<string, Tried>();

  constructor(file: string, { isFresh }: { isFresh: boolean }) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    if (isFresh) rmSync(file, { force: true });
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const tried: Tried = JSON.parse(line);
      this.#tried.set(describePoint(tried.point), tried);
    }
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

  of(flow: string): Tried[] {
    return [...this.#tried.values()].filter(({ point }) => point.flow === flow);
  }
}
