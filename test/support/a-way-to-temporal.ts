import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut, or stand still: what is sent then arrives when it goes on. */
export async function aWayTo(address: string) {
  const [host = '', port = ''] = address.split(':');
  const sockets = new Set<Socket>();
  let isStill = false;
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (isStill) one.pause();
    }
  });
  const listen = (on: number) => new Promise<void>((resolve) => server.listen(on, '127.0.0.1', resolve));
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    address: `127.0.0.1:${own}`,
    standStill: () => {
      isStill = true;
      for (const socket of sockets) socket.pause();
    },
    goOn: () => {
      isStill = false;
      for (const socket of sockets) socket.resume();
    },
    /** Nobody listens there any more. */
    cut,
    restore: () => listen(own),
  };
}
