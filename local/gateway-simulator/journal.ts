import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the owner may read what the processor did. */
const ownerOnly = 0o600;

/**
 * A file of facts, one JSON line each, written before they are answered. So every answer stays true after a restart.
 */
export class Journal<Fact> {
  readonly #file: string | undefined;

  /** Without a file the facts last as long as the process. */
  constructor(file: string | undefined) {
    this.#file = file;
    if (file) mkdirSync(dirname(file), { recursive: true });
  }

  /** Throws where the disk is full: the fact then does not count, and a partial line is removed. */
  append(fact: Fact): void {
    if (!this.#file) return;
    const before = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    try {
      appendFileSync(this.#file, `${JSON.stringify(fact)}\n`, { mode: ownerOnly });
    } catch (error) {
      if (statSync(this.#file).size > before) truncateSync(this.#file, before);
      throw error;
    }
  }

  /** All facts in order. A last line cut off by a crash was never answered, so it is removed. */
  read(): Fact[] {
    if (!this.#file || !existsSync(this.#file)) return [];
    const text = readFileSync(this.#file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(this.#file, Buffer.byteLength(whole));
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Fact => JSON.parse(line));
  }

  clear(): void {
    if (this.#file) writeFileSync(this.#file, '', { mode: ownerOnly });
  }
}
