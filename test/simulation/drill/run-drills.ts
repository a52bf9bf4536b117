import { runDrill, type Drill } from './drill.ts';
import { troubleNames } from './trouble.ts';

/** One trouble after the other, or the one that is named; says what came of each. @returns what is wrong */
export async function runDrills(name: string, parts: Omit<Drill, 'trouble'>): Promise<string[]> {
  const wrong: string[] = [];
  for (const trouble of troubleNames.filter((one) => name === 'all' || one === name)) {
    const { wrong: found, ...report } = await runDrill({ ...parts, trouble });
    console.log(`${trouble}: ${JSON.stringify(report)}`);
    wrong.push(...found.map((line) => `${trouble}: ${line}`));
  }
  return wrong;
}
