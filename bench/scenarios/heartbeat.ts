import type { Scenario } from '../scenario.ts';
import { firstIds, terminalCount } from '../shop.ts';

/** A thousand registers that send heartbeats. */
export const heartbeat: Scenario = {
  name: 'heartbeat',
  loads: [
    { connections: 16, atLeast: 0.6 },
    { connections: 256, atLeast: 3 },
  ],
  request: (terminalId) => ({
    method: 'POST',
    path: `/V1/pos/terminals/${terminalId}/heartbeat`,
    body: { deviceIdentifier: `till-${terminalId}` },
  }),
  subjectOf: (n) => firstIds.pos_terminal + (n % terminalCount),
};
