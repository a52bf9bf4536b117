import { asyncLocalStorage } from '@temporalio/activity';

/** Often enough that a heartbeat may come late twice before its step counts as dead. */
const heartbeatMs = 2_000;

/** Sends heartbeats to Temporal, so that a dead process is noticed within seconds. Outside Temporal nobody hears them. */
export async function whileAlive<Made>(work: () => Promise<Made>): Promise<Made> {
  const step = asyncLocalStorage.getStore();
  const timer = setInterval(() => step?.heartbeat(), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
