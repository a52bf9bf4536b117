import { readFileSync } from 'node:fs';

/** What a process holds in memory now and held at most, in MB; undefined where the system does not tell. */
export function residentMemory(pid: number): { now: number; most: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
    return { now: read('VmRSS'), most: read('VmHWM') };
  } catch {
    return undefined;
  }
}
