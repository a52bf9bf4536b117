import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startBrowser, browserOwner, browserOwnerOf } from '../../../providers/documents/browser.ts';
import { createPrinter } from '../../../providers/documents/chromium-printer.ts';
import { silent } from '../../support/fakes.ts';
import { cacheFolder, realChromium } from '../../support/receipts/real-printer.ts';

const passwd = [
  'root:x:0:0:root:/root:/bin/bash',
  'node:x:1000:1000::/home/node:/bin/sh',
  'browser:x:997:996::/nonexistent:/usr/sbin/nologin',
  'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
].join('\n');
/** All rights that Docker gives root, and all but the one to become another user. */
const [docker, withoutSetuid] = ['00000000a80425fb', '00000000a804257b'];
const status = (effective: string, ambient: string) => `Name:\tnode\nCapEff:\t${effective}\nCapAmb:\t${ambient}\n`;
const none = '0000000000000000';

test.each([
  ['root', 0, status(docker, none), 'nobody', { name: 'nobody', uid: 65_534, gid: 65_534 }],
  ['root, by name', 0, status(docker, none), 'browser', { name: 'browser', uid: 997, gid: 996 }],
  ['root, by number', 0, status(docker, none), '997', { name: 'browser', uid: 997, gid: 996 }],
  ['who has the rights of it', 1_000, status(docker, docker), 'nobody', { name: 'nobody', uid: 65_534, gid: 65_534 }],
])('%s gives the browser a user of its own', (_who, uid, said, wanted, user) => {
  expect(browserOwnerOf({ wanted, uid, status: said, passwd })).toEqual({ user });
});

test.each([
  ['nobody asked', 0, status(docker, none), undefined, 'CHROMIUM_USER is not set'],
  ['a plain user', 1_000, status(docker, none), 'nobody', 'it lacks CAP_CHOWN'],
  ['root without that right', 0, status(withoutSetuid, none), 'nobody', 'it lacks CAP_SETUID'],
  ['a system that tells nothing', 501, '', 'nobody', 'user 501, may not start'],
  ['a user who is not there', 0, status(docker, none), 'ghost', 'no user ghost'],
  ['root as the browser’s user', 0, status(docker, none), 'root', 'not a user of the browser’s own'],
  ['the worker’s own user', 1_000, status(docker, docker), 'node', 'not a user of the browser’s own'],
])('%s: the browser has none, and why', (_who, uid, said, wanted, reason) => {
  expect(browserOwnerOf({ wanted, uid, status: said, passwd })).toEqual({
    user: undefined,
    reason: expect.stringContaining(reason),
  });
});

test('a browser that cannot run as the wanted user prints no PDF, and the sentence says why', async () => {
  const printer = createPrinter({ path: process.execPath, user: 'ghost', cacheFolder, log: silent });
  expect(await printer.missing()).toContain('CHROMIUM_USER is "ghost", but ');
});

const [found, owner] = [await realChromium(), browserOwner('nobody')];
const whereItCan = found && owner.user ? describe : () => undefined;

whereItCan('a browser with a user of its own', () => {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });

  test('has nothing of ours: no process of it is ours, none has a right, and its sandbox is on', async () => {
    if (!found || !owner.user) throw new Error('not here');
    const warned: unknown[] = [];
    const log = { warn: (...said: unknown[]) => void warned.push(said) };
    const running = await startBrowser({ found, user: owner.user, log });
    ends.push(() => running.kill());
    const page = await running.browser.newPage();
    await page.setContent('<!doctype html><p>A receipt</p>');

    const all = processesBelow(running.pid);
    expect(all.length).toBeGreaterThan(1);
    for (const one of all) expect(one).toMatchObject({ uids: Array(4).fill(owner.user.uid), capabilities: 0n });
    expect((await page.pdf()).length).toBeGreaterThan(1_000);
    // Where the system allows no sandbox at all, the log says so.
    expect(all.some(({ command }) => command.includes('--no-sandbox'))).toBe(warned.length > 0);
    await running.kill();
    expect(processesBelow(running.pid)).toEqual([]);
  });
});

/**
 * A process and all that it started, as Linux tells of them. Rights in a sandbox’s user namespace are rights over the
 * sandbox.
 */
function processesBelow(pid: number) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const said = readFileSync(`/proc/${name}/status`, 'utf8');
        const field = (key: string) => new RegExp(`^${key}:\\s*(.*)$`, 'm').exec(said)?.[1] ?? '';
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        if (field('State').startsWith('Z')) return [];
        const uids = field('Uid').split('\t').map(Number);
        const isAmongUs = readlinkSync(`/proc/${name}/ns/user`) === readlinkSync('/proc/self/ns/user');
        const capabilities = isAmongUs ? BigInt(`0x${field('CapEff')}`) : 0n;
        return [{ pid: Number(name), parent: Number(field('PPid')), uids, capabilities, command }];
      } catch {
        return [];
      }
    });
  const below = (one: number): typeof all =>
    all.filter(({ parent }) => parent === one).flatMap((child) => [child, ...below(child.pid)]);
  return [...all.filter((one) => one.pid === pid), ...below(pid)];
}
