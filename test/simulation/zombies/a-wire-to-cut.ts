import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut: what is connected through it loses its connection, and may come again. */
export async function aWireTo(address: string): Promise<{ address: string; cut(): void; stop(): Promise<void> }> {
  const [host = '127.0.0.1', port = ''] = address.split(':');
  const ends = new Set<Socket>();
  const keep = (socket: Socket) => {
    ends.add(socket);
    socket.on('error', () => undefined).on('close', () => ends.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect({ host, port: Number(port) }));
    keep(near).pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const cut = () => {
    for (const socket of ends) socket.destroy();
  };
  return {
    address: `127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`,
    cut,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
