import type { Lane } from '../crash/lane.ts';

/** A gateway whose silences and slow answers are short, so that much happens in minutes. */
export const calmGateway = ({ gateway }: Lane, times: { slow_ms: number; silence_ms: number }) =>
  fetch(`${gateway.url}/control/mode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(times),
  });
