import { describe, expect, test } from '@jest/globals';
import { need, ringsIn } from './rings.ts';
import { importsOf, layers, sourcesOf, type Import, type Layer } from './sources.ts';

/** What each layer may import of the project. `type:` means `import type` only. */
const allowed: Record<Layer, readonly string[]> = {
  domain: ['domain'],
  db: ['db', 'domain'],
  books: ['books', 'db', 'domain'],
  providers: ['providers', 'db', 'domain'],
  workflows: ['workflows', 'domain', 'type:activities'],
  activities: ['activities', 'books', 'db', 'domain', 'providers', 'workflows'],
  worker: ['worker', 'api', 'activities', 'workflows', 'providers', 'db', 'domain'],
  api: ['api', 'books', 'db', 'domain', 'providers', 'workflows'],
  cli: ['cli', 'api', 'workflows', 'providers', 'books', 'db', 'domain'],
  client: ['client', 'domain'],
  local: layers,
  bench: layers,
  test: layers,
};

/** Layers that no other may import: they make one machine a shop, measure it, or test it. */
const outermost = ['local', 'bench', 'test'];

const layerOf = (path: string) => path.split('/')[0] ?? '';
const show = ({ from, to }: Import) => `${from} imports ${to}`;
const importsIn = (layer: string) => sourcesOf(layer).flatMap(importsOf);

test.each(layers)('%s imports only what it may', (layer) => {
  const trespasses = importsIn(layer)
    .filter(({ isRelative }) => isRelative)
    .filter(({ to, isTypeOnly }) => {
      const target = layerOf(to);
      if (to === 'package.json') return false;
      return !allowed[layer].includes(target) && !(isTypeOnly && allowed[layer].includes(`type:${target}`));
    });
  expect(trespasses.map(show)).toEqual([]);
});

test('no layer imports the outermost ones', () => {
  const inner = layers.filter((layer) => !outermost.includes(layer));
  expect(
    inner
      .flatMap(importsIn)
      .filter(({ to, isRelative }) => isRelative && outermost.includes(layerOf(to)))
      .map(show),
  ).toEqual([]);
});

test('no files need each other in a ring, but tables that refer to each other', () => {
  const needs = new Map<string, Set<string>>();
  const isOfTables = ({ from, to }: Import) => from.endsWith('.entity.ts') && to.endsWith('.entity.ts');
  for (const one of layers.flatMap(importsIn)) if (one.isRelative && !isOfTables(one)) need(needs, one.from, one.to);
  expect(ringsIn(needs)).toEqual([]);
});

test('a ring is told without what leads to it and what it leads to', () => {
  const needs = new Map([
    ['shop', new Set(['till'])],
    ['till', new Set(['drawer', 'coin'])],
    ['drawer', new Set(['till'])],
  ]);
  expect(ringsIn(needs)).toEqual(['till needs drawer', 'drawer needs till']);
});

test('of the API the operator’s page alone tells the stories of the books', () => {
  expect(
    importsIn('api')
      .filter(({ from, to, isRelative }) => isRelative && layerOf(to) === 'books' && !from.startsWith('api/ops/'))
      .map(show),
  ).toEqual([]);
});

test('of the activities the nights alone check the books', () => {
  expect(
    importsIn('activities')
      .filter(({ from, to, isRelative }) => isRelative && layerOf(to) === 'books' && from !== 'activities/nights.ts')
      .map(show),
  ).toEqual([]);
});

test('an operator’s command uses of the API only the way to the workflows, how values are spelt and what bodies may be', () => {
  const mayUse = /^api\/(?:temporal\/|wire\/|.*-payload\.ts$)/;
  expect(
    importsIn('cli')
      .filter(({ to, isRelative }) => isRelative && layerOf(to) === 'api' && !mayUse.test(to))
      .map(show),
  ).toEqual([]);
});

test('routes and activities load no workflow code: only messages, ids and inputs', () => {
  const messages = /^workflows\/(?:support\/|(?:[\w-]+\/)?messages\.ts$)/;
  expect(
    ['api', 'cli', 'activities']
      .flatMap(importsIn)
      .filter(
        ({ to, isRelative, isTypeOnly }) =>
          isRelative && layerOf(to) === 'workflows' && !isTypeOnly && !messages.test(to),
      )
      .map(show),
  ).toEqual([]);
});

describe('packages', () => {
  test('domain needs none, not even Node’s', () => {
    expect(
      importsIn('domain')
        .filter(({ isRelative }) => !isRelative)
        .map(show),
    ).toEqual([]);
  });

  test('workflows see Temporal and nothing else that could differ at replay', () => {
    const may = (name: string) => name.startsWith('@temporalio/workflow') || name.startsWith('@temporalio/common');
    expect(
      importsIn('workflows')
        .filter(({ to, isRelative }) => !isRelative && !may(to))
        .map(show),
    ).toEqual([]);
  });

  test('only the worker’s side loads the worker’s SDK', () => {
    const heavy = ['@temporalio/worker', '@temporalio/testing'];
    expect(
      ['api', 'cli', 'db', 'providers']
        .flatMap(importsIn)
        .filter(({ to }) => heavy.includes(to))
        .map(show),
    ).toEqual([]);
  });
});

describe('features', () => {
  /** `api/returns/settle-return.ts` → `returns`; `api/platform/orders/…` → `platform/orders`. */
  const featureOf = (path: string) => {
    const [, first = '', second = ''] = path.split('/');
    return first === 'platform' ? `platform/${second}` : first.endsWith('.ts') ? '' : first;
  };
  const isPlatform = (path: string) => path.split('/')[1] === 'platform';
  /** What the routes share: requests and answers, how values are spelt, and the way to the workflows. */
  const sharedByRoutes = /^api\/(?:http|wire|temporal)\//;
  const isFeatureless = (path: string) => ['', 'support'].includes(featureOf(path)) || sharedByRoutes.test(path);
  /** Money is a language of both wings. */
  const isShared = (path: string) => isFeatureless(path) || path.startsWith('domain/money/');

  test('the platform knows nothing of the point of sale', () => {
    expect(
      ['domain', 'db', 'providers', 'workflows', 'activities', 'api']
        .flatMap(importsIn)
        .filter(({ from, to, isRelative }) => isRelative && isPlatform(from) && !isPlatform(to) && !isShared(to))
        .map(show),
    ).toEqual([]);
  });

  test.each(['domain', 'db', 'books', 'api', 'workflows', 'activities', 'providers'])(
    'no features of %s need each other in a ring',
    (layer) => {
      // Tables refer to tables: what an entity imports, or who reads one, says nothing of who needs whom.
      const isOfTables = ({ from, to }: Import) => from.endsWith('.entity.ts') || to.endsWith('.entity.ts');
      const needs = new Map<string, Set<string>>();
      for (const one of importsIn(layer)) {
        const [from, to] = [featureOf(one.from), featureOf(one.to)];
        if (!one.isRelative || layerOf(one.to) !== layer || isOfTables(one) || from === to || to === '') continue;
        if (featureOf(one.from) !== '') need(needs, from, to);
      }
      expect(ringsIn(needs)).toEqual([]);
    },
  );

  test('a route’s folder imports no other route’s folder', () => {
    expect(
      importsIn('api')
        .filter(({ to, isRelative }) => isRelative && layerOf(to) === 'api')
        .filter(({ from, to }) => !isFeatureless(from) && !isFeatureless(to) && featureOf(from) !== featureOf(to))
        .map(show),
    ).toEqual([]);
  });

  test('what all routes share knows no route', () => {
    expect(
      importsIn('api')
        .filter(({ from, to, isRelative }) => sharedByRoutes.test(from) && isRelative && layerOf(to) === 'api')
        .filter(({ to }) => !sharedByRoutes.test(to))
        .map(show),
    ).toEqual([]);
  });
});

test('imports are found however they are written', () => {
  const text = `
import { a } from './a.ts';
import type { B } from '../b.ts';
import {
  c,
  d,
} from './c.ts';
import './d.ts';
export { e } from './e.ts';
export * from './f.ts';
const g = await import('./g.ts');
import type { H } from 'koa';
const text = "import { x } from './x.ts'";
`;
  expect(
    importsOf({ path: 'api/here/x.ts', text }).map(({ to, isTypeOnly }) => (isTypeOnly ? `type:${to}` : to)),
  ).toEqual([
    'api/here/a.ts',
    'type:api/b.ts',
    'api/here/c.ts',
    'api/here/d.ts',
    'api/here/e.ts',
    'api/here/f.ts',
    'type:koa',
    'api/here/g.ts',
  ]);
});
