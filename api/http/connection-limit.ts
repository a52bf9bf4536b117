import type { Socket } from 'node:net';
import { networkOf } from './network-of.ts';

/** What is reported when a connection or a request is refused, or an idle connection is closed for another. */
export interface CrowdNotes {
  refused(by: 'address' | 'process' | 'forwarded address', address: string): void;
  gaveWay(address: string): void;
}

export const noNotes: CrowdNotes = { refused: () => undefined, gaveWay: () => undefined };

export interface ConnectionLimit {
  /** Open connections of one address, and of an IPv6 network; 0: any number. */
  perAddress: number;
  /** Of the process. */
  most: number;
  /** One of our own proxies: its connections carry many clients, whose requests are limited instead. */
  isProxy: (address: string) => boolean;
  isIdle: (socket: Socket) => boolean;
  notes: CrowdNotes;
}

/**
 * Limits open connections by address. One too many closes the idle connection of that address that is open for longest;
 * where none is idle, the new one is turned away.
 *
 * @returns whether a new connection is kept
 */
export function createConnectionLimit({ perAddress, most, isProxy, isIdle, notes }: ConnectionLimit) {
  const open = new Map<string, Set<Socket>>();
  let count = 0;

  const oldestIdle = (sockets: Iterable<Socket>) => {
    for (const socket of sockets) if (isIdle(socket)) return socket;
    return undefined;
  };
  const crowded = () => {
    let found: Set<Socket> = new Set();
    for (const sockets of open.values()) if (sockets.size > found.size) found = sockets;
    return found;
  };
  const hasRoom = (key: string, by: 'address' | 'process', among: Set<Socket>) => {
    const idle = oldestIdle(among);
    if (!idle) {
      notes.refused(by, key);
      return false;
    }
    notes.gaveWay(key);
    leave(idle);
    idle.destroy();
    return true;
  };
  const keyOf = new WeakMap<Socket, string>();
  function leave(socket: Socket): void {
    const key = keyOf.get(socket);
    const sockets = key === undefined ? undefined : open.get(key);
    if (key === undefined || !sockets?.delete(socket)) return;
    count--;
    if (sockets.size === 0) open.delete(key);
  }

  return (socket: Socket): boolean => {
    const address = socket.remoteAddress ?? '';
    const key = networkOf(address);
    const own = open.get(key) ?? new Set();
    const isLimited = perAddress > 0 && !isProxy(address);
    if (isLimited && own.size >= perAddress && !hasRoom(key, 'address', own)) return false;
    if (count >= most && !hasRoom(key, 'process', crowded())) return false;
    own.add(socket);
    open.set(key, own);
    keyOf.set(socket, key);
    count++;
    socket.once('close', () => leave(socket));
    return true;
  };
}

/** Requests that are under way, by the address of their client: of those behind a proxy. */
export function createRequestLimit(perAddress: number, notes: CrowdNotes) {
  const underWay = new Map<string, number>();
  return {
    /** @returns the function that ends the request, or undefined where it is one too many */
    begin(address: string): (() => void) | undefined {
      const key = networkOf(address);
      const now = underWay.get(key) ?? 0;
      if (perAddress > 0 && now >= perAddress) {
        notes.refused('forwarded address', key);
        return undefined;
      }
      underWay.set(key, now + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = (underWay.get(key) ?? 1) - 1;
        if (left === 0) underWay.delete(key);
        else underWay.set(key, left);
      };
    },
  };
}
