import type { Lane } from '../crash/lane.ts';
import { setGatewayMode } from '../support/gateway-mode.ts';

/** A gateway whose silences and slow answers are short, so that much happens in minutes. */
export const calmGateway = ({ gateway }: Lane, times: { slow_ms: number; silence_ms: number }) =>
  setGatewayMode(gateway, times);
