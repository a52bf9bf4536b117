/** The answer of a command, for people and for scripts. */
export interface Answer {
  /** For people, without a line feed at the end. */
  text: string;
  /** For scripts: `--json`. */
  json: unknown;
  /** False when the command found something wrong: the exit code shows it. */
  isFine: boolean;
}

export const fine = (text: string, json: unknown): Answer => ({ text, json, isFine: true });
