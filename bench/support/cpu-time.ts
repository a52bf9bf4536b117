import { readFileSync } from 'node:fs';

/** The clock of `/proc` ticks a hundred times a second on common Linux systems. */
const msPerTick = 10;

/** Processor time of a process and its threads so far, in ms; undefined where the system does not provide it. */
export function cpuTimeMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything, so fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return undefined;
  }
}
