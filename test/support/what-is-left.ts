import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The variable that every process of a run's tests inherits. */
export const runName = 'TEST_RUN';

interface Left {
  pid: number;
  command: string;
}

/** Processes of a run's tests, as Linux tells of them; elsewhere none. */
export function processesOf(run: string): Left[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, 'environ').split('\0').includes(`${runName}=${run}`))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '');
}

/** Tells what tests left behind, and ends it. */
export async function endWhatIsLeft(run: string, say: (line: string) => void): Promise<void> {
  for (const { command } of processesOf(run)) say(`A test left a process behind: ${command}`);
  tell(run, 'SIGTERM');
  for (let looks = 100; looks > 0 && processesOf(run).length > 0; looks--) await pause(100);
  tell(run, 'SIGKILL');
}

/** What is asked to end takes along what it started. */
export function tell(run: string, signal: NodeJS.Signals): void {
  for (const { pid } of processesOf(run)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It has ended meanwhile, or is somebody else's.
    return '';
  }
}
