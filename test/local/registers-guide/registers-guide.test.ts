import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentsOf } from '../../house/documents.ts';
import { startShop, type StartedShop } from '../../support/start-shop.ts';
import { walkGuide } from './walk-guide.ts';

/** A start on a slow machine that is busy with other tests. */
const patienceMs = 150_000;
const firstPage = 'docs/registers/README.md';
const dataDir = mkdtempSync(join(tmpdir(), 'pos-guide-'));

let shop: StartedShop;
beforeAll(async () => {
  shop = await startShop(dataDir);
  expect(shop.said()).toContain('Ready in');
}, patienceMs);
afterAll(async () => {
  shop.child.kill('SIGTERM');
  await shop.ended;
  rmSync(dataDir, { recursive: true, force: true });
}, patienceMs);

/** In the order of the first page's table. */
const pages = [
  firstPage,
  ...[...readFileSync(firstPage, 'utf8').matchAll(/^\| \[[^\]]+\]\(\/([^)#]+)\)/gm)].map(([, page = '']) => page),
];

test(
  'every sample of the guide works in the demo shop, in the order of its pages, and answers what is shown',
  async () => {
    const ready = JSON.parse(readFileSync(join(dataDir, 'ready.json'), 'utf8'));

    const { seen, found } = await walkGuide(pages, { ready, dataDir });

    expect(found).toEqual([]);
    expect(seen).toBeGreaterThan(80);
    expect(pages.toSorted()).toEqual(documentsOf('docs/registers'));
  },
  patienceMs,
);
