import type { Workflows } from '../../providers/temporal/workflows.ts';

export interface HeldBack {
  workflows: Workflows;
  /** Sends the collected messages once the transaction is committed. */
  release: () => void;
}

/**
 * Collects messages to workflows from a handler within one transaction: they are sent after its commit, or never.
 * Such a handler cannot wait for an answer.
 */
export function heldBack(workflows: Workflows): HeldBack {
  const waiting: (() => void)[] = [];
  const committed = () => new Promise<void>((resolve) => waiting.push(resolve));
  return {
    release: () => waiting.splice(0).forEach((go) => go()),
    workflows: {
      ask: () => {
        throw new Error('A route that asks a workflow commits several times: say so in the route.');
      },
      start: async (life) => {
        await committed();
        return workflows.start(life);
      },
      signal: async (signal, id, ...args) => {
        await committed();
        return workflows.signal(signal, id, ...args);
      },
      isReachable: () => workflows.isReachable(),
      refuseWhileAway: () => workflows.refuseWhileAway(),
    },
  };
}
