import { setTimeout } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '../../db/support/secret-box.ts';
import type { Settings } from '../settings.ts';

/** What the checks look at. Connections are opened at their first use. */
export interface DoctorContext {
  settings: Settings;
  /** The addresses of a running `npm start`; undefined elsewhere. */
  ready: { api: string; mail?: string | null | undefined } | undefined;
  em: () => Promise<EntityManager>;
  secrets: () => SecretBox;
  now: () => Date;
}

/** One line of `doctor`: what was checked, its state, and what to do. */
export interface Check {
  name: string;
  /** `warning`: it works, but a person should know. */
  state: 'ok' | 'warning' | 'broken';
  says: string;
  fix?: string;
}

export const ok = (name: string, says: string): Check => ({ name, state: 'ok', says });
export const warning = (name: string, says: string, fix: string): Check => ({ name, state: 'warning', says, fix });
export const broken = (name: string, says: string, fix: string): Check => ({ name, state: 'broken', says, fix });

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
