import type { Workflows } from './workflows.ts';

export interface HeldBack {
  workflows: Workflows;
  /** The transaction is committed: what was told goes out. */
  letGo: () => void;
}

/**
 * What a handler tells workflows inside one transaction goes out once that is committed, or never. A handler that is
 * carried out in one transaction cannot wait for it.
 */
export function heldBack(workflows: Workflows): HeldBack {
  const waiting: (() => void)[] = [];
  const committed = () => new Promise<void>((resolve) => waiting.push(resolve));
  return {
    letGo: () => waiting.splice(0).forEach((go) => go()),
    workflows: {
      ask: () => {
        throw new Error('A route that asks a workflow commits several times: say so in the route.');
      },
      begin: async (life) => {
        await committed();
        return workflows.begin(life);
      },
      tell: async (signal, id, ...args) => {
        await committed();
        return workflows.tell(signal, id, ...args);
      },
      isReachable: () => workflows.isReachable(),
    },
  };
}
