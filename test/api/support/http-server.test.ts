import { expect, test } from '@jest/globals';
import { listen } from '../../../api/support/http-server.ts';

const at = { host: '127.0.0.1', port: 0 };

test('a drain lets what runs finish and takes nothing new', async () => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const server = await listen((_request, response) => {
    arrived.resolve();
    void finish.promise.then(() => response.end('done'));
  }, at);
  const url = `http://127.0.0.1:${server.port}`;
  const running = fetch(url).then((answer) => answer.text());
  await arrived.promise;

  const drained = server.drain(10_000);
  await expect(fetch(url)).rejects.toThrow();
  finish.resolve();

  expect(await running).toBe('done');
  await drained;
});

test('what does not finish in time is cut off', async () => {
  const arrived = Promise.withResolvers<void>();
  const server = await listen(() => arrived.resolve(), at);
  const running = fetch(`http://127.0.0.1:${server.port}`);
  const refused = expect(running).rejects.toThrow();
  await arrived.promise;

  await server.drain(50);
  await refused;
});
