import { readFileSync } from 'node:fs';

/** The present and the peak memory of a process, in MB; undefined where the system does not provide it. */
export function residentMemory(pid: number): { now: number; most: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
    return { now: read('VmRSS'), most: read('VmHWM') };
  } catch {
    return undefined;
  }
}
