import type { Lane } from '../crash/lane.ts';

/** What a simulated day has: registers, their wishes and the trouble they meet. */
export interface Day {
  lane: Lane;
  seed: number;
  registers: number;
  /** Of each register. */
  steps: number;
  /** How often a process dies, however long the day is. */
  deaths: number;
  /** Kills the Temporal server and starts it again on its data; absent: it lives. */
  restartTemporal?: () => Promise<void>;
  say?: (line: string) => void;
}
