import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createWebhookSender } from '../../providers/webhooks.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const former = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const sender = createWebhookSender({ mayCallPrivate: true });
const body = JSON.stringify({ type: 'order.placed', object: { kind: 'order', id: '7' }, data: { note: 'Größe – 大' } });

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** Starts a sample; answers its lines as they come. */
async function start(command: string, ...given: string[]) {
  child = spawn(command, given, {
    env: { ...process.env, PORT: '0', WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const { port } = JSON.parse((await next()).replace('listening ', '')) as { port: number };
  return { url: `http://127.0.0.1:${port}/hook`, next };
}

test.each([
  ['TypeScript', process.execPath, ['docs/extend/samples/receiver.ts']],
  ['Python', 'python3', ['docs/extend/samples/receiver.py']],
] as const)('the receiver in %s takes what is signed, once, and nothing else', async (_language, command, given) => {
  const { url, next } = await start(command, ...given);
  const send = (id: string, secrets: string[], text = body) => sender.send({ url, id, body: text, secrets });

  expect(await send('evt_1', [secret])).toMatchObject({ isTaken: true, status: 204 });
  expect(await next()).toBe('order.placed order 7');
  // A repeat is taken and does nothing; during a rotation one of two signatures is enough.
  expect(await send('evt_1', [secret])).toMatchObject({ status: 204 });
  expect(await send('evt_2', [former, secret], body.replace('7', '8'))).toMatchObject({ status: 204 });
  expect(await next()).toBe('order.placed order 8');

  expect(await send('evt_3', [former])).toMatchObject({ isTaken: false, status: 401 });
  expect(await post(url, { id: 'evt_4', at: new Date(), sent: `${body} ` })).toBe(401);
  expect(await post(url, { id: 'evt_5', at: new Date(Date.now() - 3_600_000), sent: body })).toBe(401);
  expect(await post(url, { id: 'evt_6', at: new Date(), sent: body })).toBe(204);
});

/** A message signed for `body`, whatever is sent then. */
async function post(url: string, { id, at, sent }: { id: string; at: Date; sent: string }): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body: sent,
  });
  return response.status;
}
