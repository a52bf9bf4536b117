import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { endWhatIsLeft, processesOf, runName } from '../support/what-is-left.ts';

test('what a test leaves behind ends with the run, and nothing else does', async () => {
  const run = `run-of-${process.pid}`;
  const [left, other] = [run, `${run}-beside`].map((name) =>
    spawn('sleep', ['600'], { env: { ...process.env, [runName]: name }, stdio: 'ignore' }),
  );
  const gone = once(left!, 'exit');
  try {
    expect(processesOf(run)).toEqual([{ pid: left!.pid, command: 'sleep 600' }]);

    const said: string[] = [];
    await endWhatIsLeft(run, (line) => said.push(line));

    expect(said).toEqual(['A test left a process behind: sleep 600']);
    expect(await gone).toEqual([null, 'SIGTERM']);
    expect(processesOf(`${run}-beside`)).toHaveLength(1);
  } finally {
    other!.kill();
  }
});
