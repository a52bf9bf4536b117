import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { invalid } from '../../domain/errors.ts';

/** Of both sides of a terminal, so that a test can hold them. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

const here: Terminal = { input: process.stdin, output: process.stderr };

/**
 * The password that somebody types, unseen, or that a script sends: the first line of the standard input. It never stands
 * among the words of a command, where others could read it. Refused with 400 where nothing comes.
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
