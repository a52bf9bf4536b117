/** Does a named piece of a start. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Times each step and reports it when it is done; starts none after the start was given up. */
export const steps =
  (say: (line: string) => void, giveUp?: AbortSignal): Step =>
  async (name, work) => {
    giveUp?.throwIfAborted();
    const began = performance.now();
    const result = await work();
    say(`  ✓ ${name.padEnd(28)} ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return result;
  };
