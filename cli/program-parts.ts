import type { Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

/** What every command of the tool is given. */
export interface ProgramParts {
  /** Runs a command with its dependencies and prints its answer. */
  answer: (run: (context: CommandContext) => Promise<Answer>) => Promise<void>;
}
