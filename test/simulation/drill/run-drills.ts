import type { Lane, LaneOptions } from '../../crash/lane.ts';
import type { Servers } from '../../crash/servers.ts';
import { drillHanging, drillRolling } from './card-rush.ts';
import { runDrill, type Drill } from './drill.ts';
import { drillFlows, flowTroubleNames } from './flows-in-trouble.ts';
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

/** The shop that a drill needs: calls that take seconds are no doubts where a deployment goes on beside them. */
export const laneOf = (name: string): LaneOptions =>
  name === 'rolling'
    ? { twins: true, environment: { GATEWAY_TIMEOUT_SECONDS: '10' } }
    : name === 'hanging'
      ? { environment: { GATEWAY_TIMEOUT_SECONDS: '15' } }
      : {};

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
  rolling: ({ lane, refunds }) => drillRolling(lane, refunds),
  hanging: ({ lane, refunds }) => drillHanging(lane, Math.ceil(refunds / hangingShare)),
};
export const drillNames = Object.keys(drills);

/** They need a shop of their own. */
const alone = new Set(['rolling', 'hanging']);

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
