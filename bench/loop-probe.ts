import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded into a process: on SIGUSR2 it writes its event loop delay since the last time. */
const file = process.env['BENCH_LOOP_DELAY'];
const delay = monitorEventLoopDelay({ resolution: 1 });
const msPerNs = 1e-6;

delay.enable();
process.on('SIGUSR2', () => {
  if (file) writeFileSync(file, JSON.stringify({ p99Ms: delay.percentile(99) * msPerNs, mostMs: delay.max * msPerNs }));
  delay.reset();
});
