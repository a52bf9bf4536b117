/** How many requests of this process may be with one workflow run. Temporal takes ten. */
const maxPlaces = 8;

interface Queue {
  taken: number;
  waiting: (() => void)[];
}

/**
 * Lets few requests of one workflow go to the server at the same time; the others wait here, in their order.
 *
 * A run takes ten. The server refuses each further one, and drops what the run has received and not recorded yet: with
 * fifty registers at one record, repeats alone would keep it from ever finishing a step.
 */
export function createPlaces() {
  const queues = new Map<string, Queue>();

  const leave = (id: string, queue: Queue) => {
    const next = queue.waiting.shift();
    if (next) next();
    else if (--queue.taken === 0) queues.delete(id);
  };

  /** @returns false where no place was free in time */
  const enter = (queue: Queue, withinMs: number): Promise<boolean> => {
    if (queue.taken < maxPlaces) {
      queue.taken++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const take = () => {
        clearTimeout(patience);
        resolve(true);
      };
      const patience = setTimeout(() => {
        queue.waiting = queue.waiting.filter((waiting) => waiting !== take);
        resolve(false);
      }, withinMs);
      queue.waiting.push(take);
    });
  };

  /** Undefined where no place was free in time: then the work was not begun. */
  return async function inPlace<Answer>(
    id: string,
    withinMs: number,
    work: () => Promise<Answer>,
  ): Promise<{ answer: Answer } | undefined> {
    const queue = queues.get(id) ?? { taken: 0, waiting: [] };
    queues.set(id, queue);
    if (!(await enter(queue, withinMs))) return undefined;
    try {
      return { answer: await work() };
    } finally {
      leave(id, queue);
    }
  };
}
