import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into a process: on SIGUSR2 it writes how late its event loop was since the last time, and the most processor
 * time that one turn of it took: on a busy machine a loop is late that did nothing.
 */
const file = process.env['BENCH_LOOP_DELAY'];
const delay = monitorEventLoopDelay({ resolution: 1 });
const [msPerNs, msPerUs] = [1e-6, 1e-3];

let longestTurnMs = 0;
let before = 0;
const look = () => {
  const { user, system } = process.threadCpuUsage();
  const now = (user + system) * msPerUs;
  longestTurnMs = Math.max(longestTurnMs, now - before);
  before = now;
};

delay.enable();
look();
longestTurnMs = 0;
setInterval(look, 1).unref();
process.on('SIGUSR2', () => {
  look();
  const late = { p99Ms: delay.percentile(99) * msPerNs, mostMs: delay.max * msPerNs, longestTurnMs };
  if (file) writeFileSync(file, JSON.stringify(late));
  delay.reset();
  longestTurnMs = 0;
});
