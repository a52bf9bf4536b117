import { readdirSync, readFileSync } from 'node:fs';
import { residentMemory } from '../../../bench/support.ts';

const everyMs = 500;

/** Watches workers and the browsers below them; what a browser's processes share counts once. */
export function watchMemory() {
  const workers: number[] = [];
  const peak = { worker: 0, browser: 0 };
  const timer = setInterval(() => {
    const parents = readParents();
    for (const pid of workers) {
      peak.worker = Math.max(peak.worker, residentMemory(pid)?.now ?? 0);
      const shares = below(pid, parents).map(proportional);
      peak.browser = Math.max(peak.browser, Math.round(shares.reduce((sum, one) => sum + one, 0)));
    }
  }, everyMs);
  return {
    follow: (pid: number) => void workers.push(pid),
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(read(`/proc/${name}/status`)) ?? [];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  return parents;
}

function below(pid: number, parents: ReadonlyMap<number, number>): number[] {
  const children = [...parents].flatMap(([child, parent]) => (parent === pid ? [child] : []));
  return children.flatMap((child) => [child, ...below(child, parents)]);
}

const proportional = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1_024;

/** A process may be gone meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
