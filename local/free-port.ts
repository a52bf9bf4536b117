import { randomInt } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';

/**
 * Ports that no system gives to outgoing connections: Linux takes those from 32768, others from 49152 on. A port from
 * there may be the near end of somebody's connection before the part that it was chosen for listens.
 */
const least = 20_000;
const most = 30_000;

/** With so many busy ports in a row a machine has another trouble. */
const mostTries = 200;

/** Looked at by this process before: two calls never answer one port. */
const input = new Set<number>();

/** A TCP port on loopback that is free now; only a server that asks for just this one will take it. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    const port = randomInt(least, most);
    if (input.has(port)) continue;
    // Before the look, so that two looks at once have two ports.
    input.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port was found between ${least} and ${most}`);
}

/** Several free ports, all different. */
export const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort));

/** Whether a process listens on this port of loopback. */
export const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Whether we could listen on this port of loopback: stricter than that no process answers there. */
export async function isFree(port: number): Promise<boolean> {
  try {
    await closeServer(await hold(port));
    return true;
  } catch {
    return false;
  }
}

const hold = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

const closeServer = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
