import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** A receiver of webhooks. `WEBHOOK_SECRET=whsec_… PORT=9000 node receiver.ts` */
const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');

/** In a real receiver: a table, in one transaction with what the event does. */
const seen = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  // The bytes as they came: a signature is of these, not of what they are parsed to.
  const body = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  try {
    webhook.verify(body, headers);
  } catch {
    response.writeHead(401).end();
    return;
  }
  const id = headers['webhook-id'] ?? '';
  const isNew = !seen.has(id);
  seen.add(id);
  response.writeHead(204).end();
  // The answer comes first: the shop waits ten seconds for it.
  if (isNew) work(JSON.parse(body) as { type: string; object: { kind: string; id: string } });
}

function work({ type, object }: { type: string; object: { kind: string; id: string } }): void {
  console.log(`${type} ${object.kind} ${object.id}`);
}

createServer((request, response) => void receive(request, response)).listen(
  Number(process.env['PORT'] ?? 9000),
  '127.0.0.1',
  function (this: { address(): unknown }) {
    console.log(`listening ${JSON.stringify(this.address())}`);
  },
);
