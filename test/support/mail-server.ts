import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail server of a test. */
export interface SlowMailServer {
  url: string;
  /** How many mails have arrived whole, answered or not. */
  arrived: number;
  /** The mails that it took, as they came over the wire. */
  took: string[];
  stop(): Promise<void>;
}

/** A mail server that never answers the first mail: its sender can die while it waits. It takes all others. */
export async function aMailServerSilentOnce(): Promise<SlowMailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, done) =>
      void text(stream).then((raw) => {
        if (++kept.arrived === 1) return;
        kept.took.push(raw);
        done();
      }, done),
  });
  // A sender that dies hangs up.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const kept: SlowMailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrived: 0,
    took: [],
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
  return kept;
}
