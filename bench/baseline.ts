import { readFileSync } from 'node:fs';
import Koa from 'koa';
import pg from 'pg';
import type { Recording } from './record-statements.ts';
import { replayOf, type ReplayStep } from './replay.ts';

/** The baseline: bare Koa and `pg` with the API's own statements, without token, ACL, validation, ORM or mapping. */
const { recordings }: { recordings: Recording[] } = JSON.parse(
  readFileSync(String(process.env['BENCH_RECORDINGS']), 'utf8'),
);
const paths = recordings.map(({ recorded, subject, plain, answer }) => ({
  steps: plain === 'static' ? [] : replayOf(recorded, subject),
  isEncoded: plain === 'encoded',
  /** A text that is encoded twice is JSON within JSON. */
  value: plain === 'encoded' ? JSON.parse(String(answer)) : answer,
  /** A page is sent as stored text. */
  text: plain === 'static' || plain === 'read' ? sentAs(answer) : undefined,
  type: isPage(answer) ? 'html' : 'json',
}));
const pool = new pg.Pool({ connectionString: String(process.env['DATABASE_URL']), max: 10 });

const app = new Koa();
app.silent = true;
app.use(async (ctx) => {
  const [, path = '', subject = ''] = ctx.path.split('/');
  if (path === 'health') {
    ctx.body = 'ok';
    return;
  }
  if (ctx.method === 'POST') await readJson(ctx.req);
  const request = paths[Number(path)];
  if (request?.text !== undefined) {
    const read: unknown[][] = [];
    for (const [at, { text, values }] of request.steps.entries()) {
      const query = { name: `${path}-${at}`, text: text(read, subject), values: values(read, subject) };
      read.push((await pool.query(query)).rows);
    }
    ctx.type = request.type;
    ctx.body = request.text;
    return;
  }
  const rows = await play(request?.steps ?? [], subject);
  if (request?.isEncoded) {
    ctx.type = 'json';
    ctx.body = JSON.stringify(JSON.stringify(request.value));
    return;
  }
  ctx.body = rows.reduce<unknown[]>((largest, one) => (one.length > largest.length ? one : largest), []);
});
app.listen(Number(process.env['PORT']), '127.0.0.1');

function isPage(answer: unknown): answer is string {
  return typeof answer === 'string' && answer.startsWith('<!doctype');
}

function sentAs(answer: unknown): string {
  return isPage(answer) ? answer : JSON.stringify(answer);
}

/** A transaction keeps its connection; a single statement takes any. */
async function play(steps: readonly ReplayStep[], subject: string): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  if (steps.length === 1) {
    for (const { text, values } of steps) {
      rows.push((await pool.query(text(rows, subject), values(rows, subject))).rows);
    }
    return rows;
  }
  const client = await pool.connect();
  try {
    for (const { text, values } of steps) {
      rows.push((await client.query(text(rows, subject), values(rows, subject))).rows ?? []);
    }
    return rows;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function readJson(request: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
