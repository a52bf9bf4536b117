import { CommanderError } from 'commander';
import { WrongSetting } from '../providers/settings.ts';
import { wrongSettings } from './support/diagnosis.ts';
import { createProgram } from './program.ts';
import type { Answer } from './support/answer.ts';
import { connect, type Connected } from './support/connect.ts';
import { failureSentence } from './support/failure-sentence.ts';
import { operatorSettings } from './support/operator-settings.ts';

export interface Streams {
  out: (text: string) => void;
  err: (text: string) => void;
}

/**
 * One call of the operator's tool: the answer on `out`, everything else on `err`.
 *
 * @returns the exit code: 0 when it succeeded and found nothing wrong, otherwise 1
 */
export async function run(
  words: readonly string[],
  environment: Record<string, string | undefined>,
  { out, err }: Streams,
): Promise<number> {
  let connected: Connected | undefined;
  let exitCode = 0;
  const print = (answer: Answer) => {
    out(`${program.opts()['json'] === true ? JSON.stringify(answer.json, null, 2) : answer.text}\n`);
    exitCode = answer.isFine ? 0 : 1;
  };
  const program = createProgram({
    async answer(command) {
      connected = connect(operatorSettings(environment));
      print(await command(connected));
    },
  });
  program.configureOutput({ writeOut: out, writeErr: err });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof WrongSetting && words.includes('doctor')) print(wrongSettings(error.message));
    else err(`${sentenceOf(error, connected?.settings.DATABASE_URL)}\n`);
    exitCode = 1;
  } finally {
    await connected?.close();
  }
  return exitCode;
}

function sentenceOf(error: unknown, databaseUrl: string | undefined): string {
  if (!(error instanceof CommanderError)) return failureSentence(error, databaseUrl);
  if (error.code === 'commander.help') return 'Say what to do: npm run pos -- --help lists the commands.';
  return `${error.message.replace(/^error: /, '')}; npm run pos -- --help lists the commands.`;
}
