import type { Answer, CommandContext } from './support.ts';

/** What every command of the tool is given. */
export interface ProgramParts {
  /** Runs a command with its dependencies and prints its answer. */
  answer: (run: (context: CommandContext) => Promise<Answer>) => Promise<void>;
}
