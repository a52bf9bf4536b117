import { invalid } from '../../domain/errors.ts';

/** The lines of a text, one after the other. */
export interface Lines {
  /** Undefined: there are no more. */
  next(): Promise<string | undefined>;
  /** These come next, once more. */
  giveBack(lines: readonly string[]): void;
}

/** A line that is longer is no line of a CSV file. */
export const longestLine = 4_000_000;

/**
 * Cuts UTF-8 into lines, whatever ends them: `\n`, `\r\n` or `\r`. The mark that some programs set before the text is left
 * out, because it would hide the quote of the first cell.
 *
 * Refused with 400: a line of more than four million characters.
 */
export function createLines(bytes: AsyncIterable<Uint8Array>): Lines {
  const ahead: string[] = [];
  const pieces = linesOf(bytes);
  return {
    async next() {
      const line = ahead.shift();
      if (line !== undefined) return line;
      const { value, done } = await pieces.next();
      return done ? undefined : value;
    },
    giveBack: (lines) => void ahead.unshift(...lines),
  };
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const some of bytes) {
    const text = rest + decoder.decode(some, { stream: true });
    // The `\n` of a `\r\n` may come with the next bytes.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + text.slice(whole.length);
    if (rest.length > longestLine) throw invalid('A line has more than %1 characters.', [longestLine]);
    yield* lines;
  }
  const last = rest + decoder.decode();
  if (last !== '') yield* last.replace(/\r$/, '').split(/\r\n|\n|\r/);
  return undefined;
}
