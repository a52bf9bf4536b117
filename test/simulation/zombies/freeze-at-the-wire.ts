import { Socket } from 'node:net';
import { freezePoints } from './trial.ts';

/**
 * Loaded into a worker before everything else: lets so many calls of the gateway come to one point, then stops the
 * whole process there, as a machine does that runs out of memory or is moved. Continuing it lets all of them go on.
 */
const port = Number(process.env['ZOMBIE_PORT']);
const count = Number(process.env['ZOMBIE_COUNT']);
const point = freezePoints.find((one) => one === process.env['ZOMBIE_POINT']);

const held: (() => void)[] = [];
let isThawed = false;

function hold(goOn: () => void): void {
  if (isThawed) return goOn();
  held.push(goOn);
  if (held.length < count) return;
  process.kill(process.pid, 'SIGSTOP');
  // Here time has stood still, however long that was.
  isThawed = true;
  for (const one of held) one();
}

/** The methods of a socket as they are inside, whichever way they are called. */
function method(name: string): (this: Socket, ...given: unknown[]) => unknown {
  const found: unknown = Reflect.get(Socket.prototype, name);
  if (typeof found !== 'function') throw new Error(`a socket has no ${name}`);
  return function call(this: Socket, ...given) {
    return Reflect.apply(found, this, given);
  };
}

const connect = method('connect');
const emit = method('emit');
const write = method('_writeGeneric');

/** The kernel's connection is not even asked for. */
function holdConnect(this: Socket, ...given: unknown[]): Socket {
  if (!leadsToGateway(given)) return (connect.apply(this, given), this);
  if (point === 'before_connect') hold(() => connect.apply(this, given));
  if (point === 'connected') Reflect.set(this, 'emit', holdOnce('connect', emit));
  if (point === 'writing') Reflect.set(this, '_writeGeneric', holdFirst(write));
  if (point !== 'before_connect') connect.apply(this, given);
  return this;
}

/** The other end does not hear of the connection yet. */
function holdOnce(event: string, original: typeof emit) {
  let isHeld = false;
  return function emitLater(this: Socket, ...given: unknown[]) {
    if (given[0] !== event || isHeld) return original.apply(this, given);
    isHeld = true;
    hold(() => original.apply(this, given));
    return true;
  };
}

/** The deadline has been looked at for the last time, and not a byte has left. */
function holdFirst(original: typeof write) {
  let isHeld = false;
  return function writeLater(this: Socket, ...given: unknown[]) {
    if (isHeld) return original.apply(this, given);
    isHeld = true;
    hold(() => original.apply(this, given));
  };
}

/** `connect` is called with its options in a list of their own. */
function leadsToGateway([first]: unknown[]): boolean {
  const options: unknown = Array.isArray(first) ? first[0] : first;
  return typeof options === 'object' && options !== null && Number(Reflect.get(options, 'port')) === port;
}

if (point) Reflect.set(Socket.prototype, 'connect', holdConnect);
