/**
 * How a process of ours ends. Told once, it finishes what it has in hand. Told again, it ends at once: a person who
 * asks twice does not want to wait.
 */
export interface Ending {
  /** Whether it was told: readiness says so, and a load balancer sends nothing more. */
  hasBegun(): boolean;
  /** @param finish called once, at the first word; it ends the process */
  whenTold(finish: () => void): void;
}

const signals = { SIGTERM: 15, SIGINT: 2 } as const;

/**
 * One Ctrl-C comes twice where npm passes it on: the terminal tells the whole group. What comes so soon is the same
 * word.
 */
const sameWordMs = 500;

export function createEnding(): Ending {
  let reportedAt: number | undefined;

  const hear = (finish: () => void, exitCode: number) => {
    if (reportedAt === undefined) {
      reportedAt = performance.now();
      finish();
    } else if (performance.now() - reportedAt > sameWordMs) process.exit(exitCode);
  };

  return {
    hasBegun: () => reportedAt !== undefined,
    whenTold(finish) {
      for (const [signal, number] of Object.entries(signals)) process.on(signal, () => hear(finish, 128 + number));
      // When the parent process is gone, nobody else would end this one; an open channel must not keep it alive.
      process.once('disconnect', () => {
        if (reportedAt === undefined) process.kill(process.pid, 'SIGTERM');
      });
      process.channel?.unref();
    },
  };
}
