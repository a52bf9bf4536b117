import { DatabaseTrouble, sqlStates } from './database-trouble.ts';
import { lanes, type Lane } from './lanes.ts';

/** The connections of a process, as places to take and give back. */
export interface ConnectionSlots {
  /**
   * Waits for a place and returns the function that gives it back. Fails with `53300` when none became free in time.
   */
  take(lane: Lane): Promise<() => void>;
}

export interface ConnectionSlotsParts {
  size: number;
  waitMs: number;
  reserved: Partial<Record<Lane, number>>;
}

interface Waiting {
  lane: Lane;
  admit: (leave: () => void) => void;
  timer: NodeJS.Timeout;
}

/**
 * Shares places among kinds of work. Each kind may take any free place, except those that another kind has reserved
 * and does not use now. Within a kind, first come, first served.
 */
export function createConnectionSlots({ size, waitMs, reserved }: ConnectionSlotsParts): ConnectionSlots {
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
  /** The longest waiting caller that finds a place; one place given back admits at most one. */
  const admit = () => {
    const next = waiting.find(({ lane }) => hasRoom(lane));
    if (!next) return;
    waiting = waiting.filter((one) => one !== next);
    clearTimeout(next.timer);
    next.admit(enter(next.lane));
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
        waiting.push({ lane, admit: resolve, timer });
      });
    },
  };
}
