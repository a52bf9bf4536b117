import { setTimeout } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '../../db/support/secret-box.ts';
import type { Settings } from '../settings.ts';
import { english, type DoctorWords } from './words.ts';

/** What the checks look at. Connections are opened at their first use. */
export interface DoctorContext {
  settings: Settings;
  /** The addresses of a running `npm start`; undefined elsewhere. */
  ready: { api: string; mail?: string | null | undefined } | undefined;
  em: () => Promise<EntityManager>;
  secrets: () => SecretBox;
  now: () => Date;
}

/** A sentence in the reader's language; a plain text is the same in each. */
export type Sentence = string | ((w: DoctorWords) => string);

/** What was checked, its state, and what to do; not said yet. */
export interface Check {
  name: string;
  /** `warning`: it works, but a person should know. */
  state: 'ok' | 'warning' | 'broken';
  says: Sentence;
  fix?: Sentence;
}

/** One line of `doctor`. */
export interface SpokenCheck extends Pick<Check, 'name' | 'state'> {
  says: string;
  fix?: string;
}

export const ok = (name: string, says: Sentence): Check => ({ name, state: 'ok', says });
export const warning = (name: string, says: Sentence, fix: Sentence): Check => ({ name, state: 'warning', says, fix });
export const broken = (name: string, says: Sentence, fix: Sentence): Check => ({ name, state: 'broken', says, fix });

export const inWords = (sentence: Sentence, w: DoctorWords): string =>
  typeof sentence === 'string' ? sentence : sentence(w);

/** A line in English, or in the words of the reader. */
export const spoken = ({ name, state, says, fix }: Check, w: DoctorWords = english): SpokenCheck => ({
  ...{ name: w.names[name] ?? name, state, says: inWords(says, w) },
  ...(fix === undefined ? {} : { fix: inWords(fix, w) }),
});

/** A service that takes longer counts as away. */
export const patienceMs = 3_000;

/** What starts anew is there again after a moment. */
const momentMs = 1_000;

/** Asks again before it says that something is broken: what is busy or starts anew is not. */
export async function askTwice(ask: () => Promise<Check[]>, waitMs = momentMs): Promise<Check[]> {
  const first = await ask();
  if (first.every(({ state }) => state !== 'broken')) return first;
  await setTimeout(waitMs);
  return ask();
}

/** The error of a failed call, in one line. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof Error && error.message === 'fetch failed' && error.cause !== undefined)
    return reasonOf(error.cause);
  const message = error instanceof Error ? error.message : String(error);
  const [line = ''] = message.trim().split('\n');
  return line || 'no reason given';
}
