import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { PostgresServer } from '../../local/postgres.ts';

/** A separate disk for the tables of a database server, small enough to be filled. The WAL lies elsewhere. */
export interface SmallDisk {
  /** Takes every free byte. */
  fill(): Promise<void>;
  /** Frees what `fill` took. */
  empty(): void;
  unmount(): void;
}

/** Room for a shop and what a drill adds to it. */
const megabytes = 400;

/**
 * Moves the template of all databases to a new disk in memory; databases that are copied from it lie there, too. Only
 * root can mount one.
 */
export async function moveToSmallDisk(postgres: PostgresServer): Promise<SmallDisk> {
  const folder = mkdtempSync(join(process.env['TEST_KEPT'] ?? tmpdir(), 'pos-small-disk-'));
  chmodSync(folder, 0o755);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  const tables = join(folder, 'tables');
  mkdirSync(tables, { mode: 0o700 });
  const { uid, gid } = statSync(`/proc/${postgres.pid}`);
  chownSync(tables, uid, gid);
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query(`create tablespace small location '${tables}'`);
  await admin.query('alter database template_pos set tablespace small');
  await admin.end();
  const ballast = join(folder, 'ballast');
  return {
    async fill() {
      const file = await open(ballast, 'w');
      const block = Buffer.alloc(65_536);
      try {
        for (;;) await file.write(block);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        await file.close();
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
