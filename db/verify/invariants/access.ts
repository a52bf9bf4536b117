import type { Invariant } from '../invariant.ts';

/** Devices and tokens. */
export const accessInvariants: readonly Invariant[] = [];
