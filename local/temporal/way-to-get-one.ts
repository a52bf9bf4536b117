import type { Environment, Say } from './version.ts';

/** One way to get a Temporal server: a program, or the reason why not. */
export type WayToGetOne = (options: { folder: string; environment: Environment; say: Say }) => Promise<Got>;

export type Got = { binary: string } | { why: string };
