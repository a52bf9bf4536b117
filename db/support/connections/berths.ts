import { DatabaseTrouble, sqlStates } from './database-trouble.ts';
import { lanes, type Lane } from './lanes.ts';

/** The connections of a process, as places to be taken and given back. */
export interface Berths {
  /** Waits for a place; the answer gives it back. Fails with `53300` when none became free in time. */
  take(lane: Lane): Promise<() => void>;
}

export interface BerthsParts {
  size: number;
  waitMs: number;
  reserved: Partial<Record<Lane, number>>;
}

interface Waiting {
  lane: Lane;
  board: (leave: () => void) => void;
  timer: NodeJS.Timeout;
}

/**
 * Shares so many places among kinds of work: each may take any that is free, except those another kind has reserved and
 * does not use now. Within a kind the first to come is the first served.
 */
export function createBerths({ size, waitMs, reserved }: BerthsParts): Berths {
  const taken: Record<Lane, number> = { health: 0, 'sign-in': 0, read: 0, write: 0 };
  let waiting: Waiting[] = [];

  const hasRoom = (lane: Lane) => {
    const promised = lanes.map((one) => (one === lane ? taken[one] : Math.max(taken[one], reserved[one] ?? 0)));
    return promised.reduce((sum, one) => sum + one, 0) < size;
  };
  const enter = (lane: Lane) => {
    taken[lane]++;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken[lane]--;
      admit();
    };
  };
  /** Whoever waits longest and finds room; one place that is given back lets one in at most. */
  const admit = () => {
    const next = waiting.find(({ lane }) => hasRoom(lane));
    if (!next) return;
    waiting = waiting.filter((one) => one !== next);
    clearTimeout(next.timer);
    next.board(enter(next.lane));
  };

  return {
    take(lane) {
      if (hasRoom(lane) && !waiting.some((one) => one.lane === lane)) return Promise.resolve(enter(lane));
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting = waiting.filter((one) => one.timer !== timer);
          reject(
            new DatabaseTrouble(sqlStates.noConnectionFree, `no connection became free in ${waitMs} ms (${lane})`),
          );
        }, waitMs);
        waiting.push({ lane, board: resolve, timer });
      });
    },
  };
}
