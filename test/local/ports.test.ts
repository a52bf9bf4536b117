import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { freePort, freePorts, isFree } from '../../local/free-port.ts';
import { choosePorts } from '../../local/ports.ts';
import { parseSettings } from '../../providers/settings.ts';

const linuxRange = '/proc/sys/net/ipv4/ip_local_port_range';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

const take = (port: number) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(port));
    open.push(server);
  });

async function choose(environment: Record<string, string>) {
  const said: string[] = [];
  const settings = parseSettings(environment);
  const ports = await choosePorts({ settings, environment, say: (line) => said.push(line) });
  return { ports, said };
}

test('free ports are all different', async () => {
  expect(new Set(await freePorts(50)).size).toBe(50);
});

/** Linux says from where on; elsewhere it is higher. */
const outgoingFrom = existsSync(linuxRange) ? Number(readFileSync(linuxRange, 'utf8').split(/\s/)[0]) : 49_152;

test('no outgoing connection of another part can take a free port before its own part listens', async () => {
  expect(Math.max(...(await freePorts(200)))).toBeLessThan(Math.min(outgoingFrom, 32_768));
});

test('PORT=0 takes a free port for every part, without a word', async () => {
  const { ports, said } = await choose({ PORT: '0' });

  expect(new Set(Object.values(ports)).size).toBe(9);
  for (const port of Object.values(ports)) expect(await isFree(port)).toBe(true);
  expect(said).toEqual([]);
});

test('a usual port that is taken moves to a free one and says so', async () => {
  if (await isFree(8025)) await take(8025);

  const { ports, said } = await choose({});

  expect(ports.mail).not.toBe(8025);
  expect(said).toContain(`Port 8025 is taken, so the mail catcher's page is at ${ports.mail}.`);
});

test('a chosen port is used, or refused with what to do', async () => {
  const port = await freePort();
  expect((await choose({ PORT: String(port) })).ports.api).toBe(port);

  await take(port);

  await expect(choose({ PORT: String(port) })).rejects.toThrow(
    `Port ${port} for the API is taken; stop what listens there, or choose another one`,
  );
});
