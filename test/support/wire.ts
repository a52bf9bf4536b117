import { connect, createServer, type Socket } from 'node:net';

/** A connection to a server that can be stopped: what is sent stays on the way until it is released. */
export interface Wire {
  /** The database address through this connection. */
  url: string;
  /** Nothing passes any more. New connections are accepted and not answered, as by a server that hangs. */
  freeze(): void;
  thaw(): void;
  /** Only the server's answers are held back. */
  freezeAnswers(): void;
  /** Every connection breaks. */
  cut(): void;
  /** Called with each piece for the server, before it is passed on; false drops it. */
  passes: (sent: Buffer) => boolean;
  stop(): Promise<void>;
}

export async function aWireTo(serverUrl: string): Promise<Wire> {
  const server = new URL(serverUrl);
  const ends = new Set<Socket>();
  let isFrozen = false;
  let answersPass = true;
  const keep = (socket: Socket) => {
    ends.add(socket);
    socket.on('error', () => undefined).on('close', () => ends.delete(socket));
    if (isFrozen) socket.pause();
    return socket;
  };
  const listener = createServer((near) => {
    const far = keep(connect({ host: server.hostname, port: Number(server.port) }));
    keep(near);
    near.on('data', (sent: Buffer) => {
      if (wire.passes(sent)) far.write(sent);
    });
    far.on('data', (answer: Buffer) => void (answersPass && near.write(answer)));
    if (isFrozen) for (const end of [near, far]) end.pause();
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const bound = listener.address();
  const own = new URL(serverUrl);
  own.hostname = '127.0.0.1';
  own.port = String(typeof bound === 'object' && bound ? bound.port : 0);
  const wire: Wire = {
    url: own.href,
    passes: () => true,
    freeze() {
      isFrozen = true;
      for (const end of ends) end.pause();
    },
    freezeAnswers() {
      answersPass = false;
    },
    thaw() {
      isFrozen = false;
      answersPass = true;
      for (const end of ends) end.resume();
    },
    cut() {
      for (const end of ends) end.destroy();
    },
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        wire.cut();
      }),
  };
  return wire;
}
