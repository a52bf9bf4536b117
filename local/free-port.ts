import { connect, createServer, type Server } from 'node:net';

/** A TCP port on loopback that is free at this moment. */
export const freePort = async (): Promise<number> => {
  const server = await hold(0);
  return closeServer(server);
};

/** Several free ports, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, () => hold(0)));
  return Promise.all(held.map(closeServer));
}

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
