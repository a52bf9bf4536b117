import { expect, test } from 'vitest';
import { Supervisor, type Part, type Running } from '../../local/supervisor.ts';

/** A process that ends when the test says so. */
class Actor implements Part {
  readonly name: string;
  readonly #log: string[];
  starts = 0;
  failNext = false;
  end: (how: string) => void = () => undefined;

  constructor(name: string, log: string[]) {
    this.name = name;
    this.#log = log;
  }

  async start(): Promise<Running> {
    this.starts += 1;
    if (this.failNext) {
      this.failNext = false;
      throw new Error(`${this.name} did not start`);
    }
    this.#log.push(`${this.name} starts`);
    const ended = new Promise<string>((resolve) => (this.end = resolve));
    const stop = async () => {
      this.#log.push(`${this.name} stops`);
      this.end('stopped');
    };
    return { pid: this.starts, ended, stop };
  }
}

function stage() {
  const log: string[] = [];
  const said: string[] = [];
  const noted: string[][] = [];
  const supervisor = new Supervisor({
    say: (line) => said.push(line),
    noted: (processes) => noted.push(processes.map(({ name, pid }) => `${name} ${pid}`)),
  });
  return { log, said, noted, supervisor, actor: (name: string) => new Actor(name, log) };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('parts stop in the reverse order of their start', async () => {
  const { log, supervisor, actor } = stage();
  for (const name of ['database', 'worker', 'api']) await supervisor.keep(actor(name));

  await supervisor.stop();

  expect(log.slice(3)).toEqual(['api stops', 'worker stops', 'database stops']);
});

test('a part that dies is started again, and people are told', async () => {
  const { said, noted, supervisor, actor } = stage();
  const worker = actor('The worker');
  await supervisor.keep(worker);

  worker.end('SIGKILL');
  await until(() => said.length === 2);

  expect(worker.starts).toBe(2);
  expect(said).toEqual(['The worker has ended (SIGKILL); starting it again.', 'The worker is back.']);
  expect(noted.at(-1)).toEqual(['The worker 2']);
  await supervisor.stop();
});

test('a part that cannot be started again is tried until it can', async () => {
  const { said, supervisor, actor } = stage();
  const worker = actor('The worker');
  await supervisor.keep(worker);

  worker.failNext = true;
  worker.end('SIGKILL');
  await until(() => said.includes('The worker is back.'));

  expect(worker.starts).toBe(3);
  expect(said).toContain('The worker did not start');
  await supervisor.stop();
});

test('a first start that fails is the caller’s to tell', async () => {
  const { supervisor, actor, log } = stage();
  await supervisor.keep(actor('database'));
  const api = actor('api');
  api.failNext = true;

  await expect(supervisor.keep(api)).rejects.toThrow('api did not start');

  await supervisor.stop();
  expect(log).toEqual(['database starts', 'database stops']);
});

test('what is stopped is not started again, and nothing is started any more', async () => {
  const { supervisor, actor, noted } = stage();
  const worker = actor('worker');
  await supervisor.keep(worker);
  worker.end('SIGKILL');

  await supervisor.stop();

  await expect(supervisor.keep(actor('api'))).rejects.toThrow();
  expect(worker.starts).toBe(1);
  expect(noted.at(-1)).toEqual([]);
});
