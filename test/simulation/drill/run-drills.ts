import { randomBytes } from 'node:crypto';
import type { Lane, LaneOptions } from '../../crash/lane.ts';
import type { Servers } from '../../crash/servers.ts';
import { drillBuilds, oldBuild } from './builds.ts';
import { drillHanging, drillRolling } from './card-rush.ts';
import { runDrill, type Drill } from './drill.ts';
import { drillFlows, flowTroubleNames } from './flows-in-trouble.ts';
import { drillLoop } from './late-loop.ts';
import { troubleNames } from './trouble.ts';

export interface DrillParts {
  lane: Lane;
  servers: Servers;
  /** How long each trouble lasts. */
  seconds: number;
  /** Of `rolling`; `hanging` has a third of them. */
  refunds: number;
  shift: Omit<Drill, 'lane' | 'trouble' | 'seconds'>;
}

const withGatewayTimeout = (seconds: number): LaneOptions => ({
  environment: { GATEWAY_TIMEOUT_SECONDS: String(seconds) },
});

/**
 * The shop that a drill needs. Calls that take seconds are no doubts where a deployment goes on beside them. Where a
 * flow's worker is lost in the middle of a call, its register waits until that call is surely over: so the call is
 * short.
 */
export function laneOf(name: string, from?: string): LaneOptions {
  if (name === 'builds')
    return {
      sources: from,
      environment: {
        ...withGatewayTimeout(4).environment,
        TEMPORAL_BUILD_ID: oldBuild,
        TEMPORAL_DEPLOYMENT: `drill-${randomBytes(4).toString('hex')}`,
      },
    };
  if (name === 'rolling') return { twins: true, ...withGatewayTimeout(10) };
  if (name === 'hanging') return withGatewayTimeout(15);
  if (name === 'loop') return { watchesLoops: true };
  return flowTroubleNames.some((trouble) => trouble === name) ? withGatewayTimeout(4) : {};
}

const hangingShare = 3;

type Drilled = Promise<{ wrong: string[] }>;

/** Each drill by its name. */
const drills: Record<string, (parts: DrillParts) => Drilled> = {
  ...Object.fromEntries(
    troubleNames.map((trouble) => [
      trouble,
      ({ lane, seconds, shift }: DrillParts): Drilled => runDrill({ lane, seconds, ...shift, trouble }),
    ]),
  ),
  ...Object.fromEntries(
    flowTroubleNames.map((trouble) => [trouble, (parts: DrillParts): Drilled => drillFlows({ ...parts, trouble })]),
  ),
  builds: ({ lane }) => drillBuilds(lane),
  rolling: ({ lane, refunds }) => drillRolling(lane, refunds),
  loop: ({ lane, seconds }) => drillLoop({ lane, seconds, share: 1 }),
  hanging: ({ lane, refunds }) => drillHanging(lane, Math.ceil(refunds / hangingShare)),
};
export const drillNames = Object.keys(drills);

/** They need a shop of their own. */
const alone = new Set(['builds', 'rolling', 'hanging', 'loop', 'disk-full']);

/** One trouble after the other, or the one that is named; says what came of each. @returns what is wrong */
export async function runDrills(name: string, parts: DrillParts): Promise<string[]> {
  const wrong: string[] = [];
  for (const [one, drill] of Object.entries(drills)) {
    if (name === 'all' ? alone.has(one) : one !== name) continue;
    const { wrong: found, ...report } = await drill(parts);
    console.log(`${one}: ${JSON.stringify(report)}`);
    wrong.push(...found.map((line) => `${one}: ${line}`));
  }
  return wrong;
}
