import { expect, test } from '@jest/globals';
import { importsOf, type Import } from './graph.ts';
import { sourcesOf } from './sources.ts';

/** The API reads, judges and asks. A worker moves the goods and the money of returns, and it alone calls gateways. */

const folders = ['api', 'db', 'domain', 'providers', 'workflows', 'activities', 'worker'];
const sources = new Map(sourcesOf(...folders).map((source) => [source.path, source]));
const atRunTime = ({ isRelative, isTypeOnly }: Import) => isRelative && !isTypeOnly;
const { imports } = await importsOf(folders);
const byFile = Map.groupBy(imports.filter(atRunTime), ({ from }) => from);
const importsAtRunTime = (path: string) => byFile.get(path) ?? [];

/** Every file that the API loads, at whatever distance, and who loads it. */
function loadedByApi(): Map<string, string> {
  const loaded = new Map(
    [...sources.keys()].filter((path) => path.startsWith('api/')).map((path) => [path, 'a route']),
  );
  for (const path of loaded.keys())
    for (const { to } of importsAtRunTime(path)) if (!loaded.has(to)) loaded.set(to, path);
  return loaded;
}

/** What moves goods or money of returns. Files of these folders that the API loads are named below, and why. */
const watched = /^db\/(?:returns|process|refunds|verdicts)\//;
/** Tables and reads. */
const isReading = /\.(?:entity|repository)\.ts$|\/(?:find|read|sold|preview)-[\w-]+\.ts$/;
const named = new Map([
  ['db/refunds/merchant-reference.ts', 'a name'],
  ['db/refunds/refundable-money.ts', 'reads what a settlement would say'],
  ['db/refunds/sealed-remark.ts', 'seals words'],
  ['db/returns/comment-return.ts', 'a comment'],
  ['db/returns/delete-return.ts', 'a return of which nothing came: nothing moves'],
  ['db/returns/draw-return.ts', 'draws a number'],
  ['db/returns/keep-settle-payload.ts', 'keeps the printout of a terminal'],
  ['db/returns/lock-return.ts', 'a lock'],
]);

test('nothing that the API loads moves goods or money of a return', () => {
  const found = [...loadedByApi()].filter(([path]) => watched.test(path) && !isReading.test(path));
  expect(found.filter(([path]) => !named.has(path)).map(([path, by]) => `${by} loads ${path}`)).toEqual([]);
  expect([...named.keys()].filter((path) => !found.some(([one]) => one === path))).toEqual([]);
});

test('nothing that the API loads can call a gateway: it knows facts and types', () => {
  const facts = new Set(['createGatewayFacts', 'refundableBy', 'refuseUnrefundable']);
  const namesFrom = (path: string) =>
    [...(sources.get(path)?.text ?? '').matchAll(/^import \{([^}]+)\} from '[^']*\/gateways\/[^']+'/gm)].flatMap(
      ([, names = '']) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type ')),
    );
  const outside = [...loadedByApi().keys()].filter((path) => !path.startsWith('providers/gateways/'));
  expect(
    outside.flatMap((path) =>
      namesFrom(path)
        .filter((name) => !facts.has(name))
        .map((name) => `${path} imports ${name}`),
    ),
  ).toEqual([]);
  // However it is written, nothing else is loaded from there.
  expect(
    outside
      .flatMap(importsAtRunTime)
      .filter(({ to }) => to.startsWith('providers/gateways/'))
      .map(({ from, to }) => `${from} loads ${to}`)
      .toSorted(),
  ).toEqual([
    'api/refunds/preview-refund.ts loads providers/gateways/payment-gateway.ts',
    'providers/index.ts loads providers/gateways/gateways.ts',
  ]);
});

test('nothing that the API loads is the worker’s', () => {
  const isTheWorkers = /^(?:activities|worker)\//;
  expect([...loadedByApi()].filter(([path]) => isTheWorkers.test(path))).toEqual([]);
});
