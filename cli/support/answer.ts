/** What a command answers: the same for people and for scripts. */
export interface Answer {
  /** For people, without a line feed at the end. */
  text: string;
  /** For scripts: `--json`. */
  json: unknown;
  /** False when something is wrong with what was looked at: the exit code says so. */
  isFine: boolean;
}

export const fine = (text: string, json: unknown): Answer => ({ text, json, isFine: true });
