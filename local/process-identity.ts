import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';

/** Identifies a process: an id alone is soon reused. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time in the system's own format; only compared. */
  born: string;
}

export const identify = (pid: number): ProcessIdentity => ({ pid, born: birthOf(pid) ?? '' });

/** Whether this same process still runs, and not another with its id. */
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

/** Undefined for a process that has ended or is a zombie. */
function birthOf(pid: number): string | undefined {
  if (platform() !== 'linux') return ps(pid, 'lstart=') || undefined;
  try {
    // The name in brackets may contain anything, so fields are counted from its end: state, then 18 fields, then the
    // start time.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

const ps = (pid: number, what: string): string =>
  spawnSync('ps', ['-o', what, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
