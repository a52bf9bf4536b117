import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can fall silent: what is sent through it stays on the way until it speaks again. */
export interface Wire {
  /** As a database address: the one given, by way of this wire. */
  url: string;
  /** Nothing passes any more; new connections are taken and not answered, as by a server that stands still. */
  freeze(): void;
  thaw(): void;
  /** Only what the server says is kept back. */
  freezeAnswers(): void;
  /** Every connection breaks. */
  cut(): void;
  /** Called with each piece that goes to the server, before it is passed on; false keeps it back for ever. */
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
