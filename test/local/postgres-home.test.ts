import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startPostgres } from '../../local/postgres.ts';
import { shownSettings } from '../../local/ready-file.ts';
import { parseSettings, settingsSchema } from '../../providers/settings.ts';

describe('env example', () => {
  const text = readFileSync('.env.example', 'utf8');
  const shown = [...text.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => ({ name, value }));
  const [, forCompose = ''] = text.split('# Read by docker-compose.yml only');
  const compose = new Set([...forCompose.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name));

  test('.env.example documents every setting once, and none that is not read', () => {
    const documented = shown.map(({ name }) => name).filter((name) => !compose.has(name));
    expect(documented.toSorted()).toEqual(Object.keys(settingsSchema.shape).toSorted());
  });

  test('every value it shows would be accepted', () => {
    for (const { name, value } of shown) expect(() => parseSettings({ [name]: value })).not.toThrow();
  });

  test('nothing in it is set, so that a plain copy changes nothing', () => {
    expect(text).not.toMatch(/^[A-Z_]+=/m);
  });

  test('what it shows as a default is the default', () => {
    const defaults = parseSettings({});
    for (const name of ['HOST', 'TEMPORAL_NAMESPACE', 'POS_DATA_DIR', 'MAIL_FROM', 'LOG_LEVEL', 'TZ_SERVER'] as const)
      expect(shown.find((one) => one.name === name)?.value).toBe(defaults[name]);
  });
});

describe('postgres home', () => {
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
});

describe('ready file', () => {
  test('the operator’s tool is told the queue and whom a refund’s alarm goes to, and no password', () => {
    const settings = shownSettings(
      parseSettings({
        TEMPORAL_TASK_QUEUE: 'shop2',
        REFUND_ALERT_EMAIL: 'ops@shop.test',
        SMTP_URL: 'smtp://till:s3cret@mail.shop.test:587',
        RETURNS_SERVICE_KEY: 's3cret',
        TEMPORAL_API_KEY: 's3cret',
      }),
    );
    expect(settings).toMatchObject({
      TEMPORAL_TASK_QUEUE: 'shop2',
      REFUND_ALERT_EMAIL: 'ops@shop.test',
      REFUND_ALERT_AFTER_MINUTES: '0',
      SMTP_URL: 'smtp://mail.shop.test:587',
    });
    expect(JSON.stringify(settings)).not.toContain('s3cret');
  });
});
