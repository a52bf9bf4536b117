import { AsyncLocalStorage } from 'node:async_hooks';

/** Kinds of work that must not take each other's connections. */
export const lanes = ['health', 'sign-in', 'read', 'write'] as const;
export type Lane = (typeof lanes)[number];

const lane = new AsyncLocalStorage<Lane>();

/** All database work that `work` starts counts as that kind. */
export const inLane = <Result>(which: Lane, work: () => Result): Result => lane.run(which, work);

/** A transaction counts as a write, unless it was started as another kind. */
export const asWrite = <Result>(work: () => Result): Result =>
  lane.getStore() === undefined ? lane.run('write', work) : work();

export const laneNow = (): Lane => lane.getStore() ?? 'read';
