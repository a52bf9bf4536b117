import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from '../../local/postgres.ts';

const patienceMs = 60_000;

test(
  'a start that was killed while it made the data folder does not stand in the way of the next one',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'pos-home-'));
    // As root, the server runs as another user, who has to reach its folder.
    chmodSync(home, 0o711);
    const root = join(home, 'postgres');
    const half = join(root, 'data-unfinished-1');
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, 'PG_VERSION'), '18\n');
    try {
      const server = await startPostgres({ root, durable: false });
      const client = new pg.Client({ connectionString: server.url('postgres') });
      await client.connect();
      await client.end();
      await server.stop();
      expect(existsSync(half)).toBe(false);
      expect(existsSync(join(root, 'data', 'PG_VERSION'))).toBe(true);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
  patienceMs,
);
