import { describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { importsOf, rules, type Import } from './graph.ts';
import { need, ringsIn } from './rings.ts';

const { imports, forbidden } = await importsOf();

test('no file imports what a rule forbids: the rules and their reasons are in .dependency-cruiser.json', () => {
  expect(forbidden.map(({ line }) => line)).toEqual([]);
});

test('all files are seen, with what they import for its types alone', () => {
  const of = (file: string) => imports.filter(({ from }) => from === file);
  expect(of('workflows/returns.ts')).toEqual(
    expect.arrayContaining([
      { from: 'workflows/returns.ts', to: 'activities/returns.ts', isRelative: true, isTypeOnly: true },
      { from: 'workflows/returns.ts', to: '@temporalio/workflow', isRelative: false, isTypeOnly: false },
    ]),
  );
  expect(imports.length).toBeGreaterThan(5_000);
});

describe('each rule can fail', () => {
  /** A file that must not, and what it imports; with `type` for its types alone. */
  const trespasses: Record<string, readonly (readonly [from: string, to: string])[]> = {
    'domain-needs-only-what-it-may': [['domain/a.ts', 'db/a.ts']],
    'db-needs-only-what-it-may': [['db/a.ts', 'providers/a.ts']],
    'books-needs-only-what-it-may': [['books/a.ts', 'api/a.ts']],
    'providers-needs-only-what-it-may': [['providers/a.ts', 'api/b.ts']],
    'workflows-needs-only-what-it-may': [['workflows/a.ts', 'db/b.ts']],
    'activities-needs-only-what-it-may': [['activities/a.ts', 'api/c.ts']],
    'worker-needs-only-what-it-may': [['worker/a.ts', 'cli/b.ts']],
    'api-needs-only-what-it-may': [['api/d.ts', 'activities/b.ts']],
    'cli-needs-only-what-it-may': [['cli/a.ts', 'worker/b.ts']],
    'client-needs-only-what-it-may': [['client/a.ts', 'api/e.ts']],
    'workflows-know-types-of-activities': [['workflows/b.ts', 'activities/c.ts']],
    'no-ring': [
      ['domain/round.ts', 'domain/about.ts'],
      ['domain/about.ts', 'domain/round.ts'],
    ],
    'stories-are-for-the-operator': [['api/f.ts', 'books/b.ts']],
    'nights-check-the-books': [['activities/d.ts', 'books/c.ts']],
    'commands-use-little-of-the-api': [['cli/c.ts', 'api/returns/a.ts']],
    'no-workflow-code': [['api/g.ts', 'workflows/c.ts']],
    'domain-needs-no-package': [['domain/b.ts', 'node:fs']],
    'workflows-can-be-replayed': [['workflows/d.ts', 'node:crypto']],
    'the-workers-sdk-is-the-workers': [['providers/b.ts', 'node_modules/@temporalio/worker/index.ts']],
    'the-platform-stands-alone': [['db/platform/orders/a.ts', 'db/returns/a.ts']],
    'routes-of-one-folder': [['api/layaways/a.ts', 'api/returns/b.ts']],
    'routes-of-one-platform-folder': [['api/platform/orders/a.ts', 'api/platform/carts/a.ts']],
    'shared-by-routes': [['api/http/a.ts', 'api/returns/c.ts']],
    'the-data-door': [['db/returns/b.ts', 'db/support/send.ts']],
    'composed-texts': [['db/returns/c.ts', 'db/support/composed.ts']],
    'lists-by-name': [['api/h.ts', 'db/support/search.ts']],
    'the-client-is-alone': [['client/b.ts', 'no-such-package']],
    'the-client-runs-in-browsers': [['client/c.ts', 'node:fs']],
  };

  test('and has a file here that breaks it', async () => {
    const place = mkdtempSync(join(tmpdir(), 'imports-'));
    const write = (file: string, line: string) => {
      mkdirSync(dirname(join(place, file)), { recursive: true });
      writeFileSync(join(place, file), `${line}\nexport const here = 1;\n`);
    };
    for (const [from, to] of Object.values(trespasses).flat()) {
      const isPath = to.endsWith('.ts');
      if (
        isPath &&
        !Object.values(trespasses)
          .flat()
          .some(([file]) => file === to)
      )
        write(to, '');
      write(from, `import '${isPath ? `./${relative(dirname(from), to)}` : to}';`);
    }
    const found = await importsOf(
      ['domain', 'db', 'books', 'providers', 'workflows', 'activities', 'worker', 'api', 'cli', 'client'],
      place,
    );
    const isBroken = ([rule, files]: [string, readonly (readonly [string, string])[]]) =>
      found.forbidden.some((one) => one.rule === rule && files.some(([from]) => one.from === from));
    expect(Object.entries(trespasses).flatMap((one) => (isBroken(one) ? [] : [one[0]]))).toEqual([]);
    expect(new Set(Object.keys(trespasses))).toEqual(new Set(rules.forbidden.map(({ name }) => name)));
  });
});

describe('features', () => {
  const layerOf = (path: string) => path.split('/')[0] ?? '';
  /** `api/returns/settle-return.ts` → `returns`; `api/platform/orders/…` → `platform/orders`. */
  const featureOf = (path: string) => {
    const [, first = '', second = ''] = path.split('/');
    return first === 'platform' ? `platform/${second}` : first.endsWith('.ts') ? '' : first;
  };

  test.each(['domain', 'db', 'books', 'api', 'workflows', 'activities', 'providers'])(
    'no features of %s need each other in a ring',
    (layer) => {
      // Tables refer to tables: what an entity imports, or who reads one, says nothing of who needs whom.
      const isOfTables = ({ from, to }: Import) => from.endsWith('.entity.ts') || to.endsWith('.entity.ts');
      const needs = new Map<string, Set<string>>();
      for (const one of imports) {
        const [from, to] = [featureOf(one.from), featureOf(one.to)];
        if (layerOf(one.from) !== layer || !one.isRelative || layerOf(one.to) !== layer) continue;
        if (!isOfTables(one) && from !== to && to !== '' && from !== '') need(needs, from, to);
      }
      expect(ringsIn(needs)).toEqual([]);
    },
  );

  test('a ring is told without what leads to it and what it leads to', () => {
    const needs = new Map([
      ['shop', new Set(['till'])],
      ['till', new Set(['drawer', 'coin'])],
      ['drawer', new Set(['till'])],
    ]);
    expect(ringsIn(needs)).toEqual(['till needs drawer', 'drawer needs till']);
  });
});
