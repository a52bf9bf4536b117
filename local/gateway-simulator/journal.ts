import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A file of facts, one JSON line each, written before anybody hears of them. What was said is therefore still true
 * after a restart.
 */
export class Journal<Fact> {
  readonly #file: string | undefined;

  /** Without a file the facts last as long as the process. */
  constructor(file: string | undefined) {
    this.#file = file;
    if (file) mkdirSync(dirname(file), { recursive: true });
  }

  append(fact: Fact): void {
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(fact)}\n`);
  }

  /** All facts in order. A last line cut off by a crash was never said, so it does not count, and is removed. */
  read(): Fact[] {
    if (!this.#file || !existsSync(this.#file)) return [];
    const text = readFileSync(this.#file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) writeFileSync(this.#file, whole);
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Fact => JSON.parse(line));
  }

  clear(): void {
    if (this.#file) writeFileSync(this.#file, '');
  }
}
