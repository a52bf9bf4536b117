import { heartbeat } from '@temporalio/activity';

const heartbeatMs = 2_000;

/** Sends heartbeats to Temporal, so that a dead process is noticed within seconds. */
export async function whileAlive<Made>(work: () => Promise<Made>): Promise<Made> {
  const timer = setInterval(() => heartbeat(), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
