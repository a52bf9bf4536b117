import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { invalid } from '../../domain/errors.ts';

/** Both sides of a terminal, so that a test can replace them. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

const here: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Reads a password: typed without echo, or the first line of standard input from a script. It is never an argument of
 * the command, because others could read that. Refused with 400 when the input is empty.
 */
export async function readPassword({ input, output }: Terminal = here): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (input.isTTY === true) output.write('Password: ');
  const reader = createInterface({ input, output: silent, terminal: input.isTTY === true });
  try {
    for await (const line of reader) {
      if (input.isTTY === true) output.write('\n');
      return line;
    }
  } finally {
    reader.close();
  }
  throw invalid('No password came on the standard input.');
}
