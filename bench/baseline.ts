import { readFileSync } from 'node:fs';
import Koa from 'koa';
import pg from 'pg';
import { replayOf, type Recorded, type ReplayStep } from './replay.ts';

/**
 * The baseline: bare Koa and `pg`, the same statements as the API's, and nothing else. No token, no ACL, no validation,
 * no ORM, no mapping.
 */
const { recordings }: { recordings: { recorded: Recorded[]; subject: string }[] } = JSON.parse(
  readFileSync(String(process.env['BENCH_RECORDINGS']), 'utf8'),
);
const paths = recordings.map(({ recorded, subject }) => replayOf(recorded, subject));
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
  const rows = await play(paths[Number(path)] ?? [], subject);
  ctx.body = rows.reduce<unknown[]>((largest, one) => (one.length > largest.length ? one : largest), []);
});
app.listen(Number(process.env['PORT']), '127.0.0.1');

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
