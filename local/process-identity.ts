import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';

/** Which process exactly: an id alone is soon given to another one. */
export interface ProcessIdentity {
  pid: number;
  /** When it was born, in the words of the system; only compared. */
  born: string;
}

export const identify = (pid: number): ProcessIdentity => ({ pid, born: birthOf(pid) ?? '' });

/** Whether this very process still runs, and not another under its id. */
export const stillRuns = ({ pid, born }: ProcessIdentity): boolean => born !== '' && birthOf(pid) === born;

/** The command line of a process; empty when there is none. */
export function commandOf(pid: number): string {
  if (platform() !== 'linux') return ps(pid, 'command=');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Undefined for a process that is gone, or dead and not yet buried. */
function birthOf(pid: number): string | undefined {
  if (platform() !== 'linux') return ps(pid, 'lstart=') || undefined;
  try {
    // The name in brackets may hold anything, so count from its end: state, then 18 fields, then the start time.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

const ps = (pid: number, what: string): string =>
  spawnSync('ps', ['-o', what, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
