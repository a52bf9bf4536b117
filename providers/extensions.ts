import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { CustomerValidator } from './customer-validators.ts';
import type { GatewayMember } from './gateways/gateways.ts';
import type { InsightProvider } from './insights.ts';
import type { PriceResolver } from './prices.ts';
import { WrongSetting, type Settings } from './settings.ts';

/**
 * What a module of `POS_EXTENSIONS` may export; nothing else. Each list comes after those of the product: for a payment
 * method that the product knows, its own gateway counts.
 */
export interface Extension {
  /** Opened by the worker to move money; the API only asks them for facts. */
  gateways?: readonly GatewayMember[];
  insights?: readonly InsightProvider[];
  prices?: readonly PriceResolver[];
  customerValidators?: readonly CustomerValidator[];
  /** Routes of the API, made by `route` (`api/http/route.ts`). */
  routes?: readonly object[];
}

/** Of all modules, in their order. */
export type Extensions = Required<Extension>;

export const noExtensions: Extensions = { gateways: [], insights: [], prices: [], customerValidators: [], routes: [] };

const word = z.string('must be a text').regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be small letters, digits and _');
const words = z.string('must be a text').min(1, 'must not be empty');
const call = z.custom<() => unknown>((value) => typeof value === 'function', 'must be a function');
const list = <Item extends z.ZodType>(item: Item) => z.array(item, 'must be a list').optional();

/** What can be seen without a call; the rest is held by the types and by the contract tests. */
const extensionSchema = z.strictObject({
  gateways: list(
    z.looseObject({
      code: word,
      paymentMethod: words,
      baseUrl: z.string('must be a text'),
      account: z.string('must be a text'),
      open: call,
    }),
  ),
  insights: list(z.looseObject({ code: word, sections: call })),
  prices: list(z.looseObject({ code: word, resolve: call })),
  customerValidators: list(z.looseObject({ key: word, label: words, field: words, validate: call })),
  routes: list(
    z.looseObject({
      method: z.enum(['GET', 'POST', 'PUT', 'DELETE'], 'must be GET, POST, PUT or DELETE'),
      path: z.string('must be a text').startsWith('/V1/', 'must begin with /V1/'),
      acl: z.union([words, z.array(words)], 'must be a resource or a list of them'),
      summary: words,
      response: z.instanceof(z.ZodType, { error: 'must be a schema of zod' }),
      handle: call,
    }),
  ),
});

/**
 * Loads the modules of `POS_EXTENSIONS`, once per process, from paths as of the working directory. Throws
 * `WrongSetting` with one sentence for the first that is missing or wrong.
 */
export async function loadExtensions({ POS_EXTENSIONS: paths }: Pick<Settings, 'POS_EXTENSIONS'>): Promise<Extensions> {
  const loaded: Extension[] = [];
  for (const path of paths.split(',').map((part) => part.trim())) if (path !== '') loaded.push(await load(path));
  const all = <Kind extends keyof Extensions>(kind: Kind) => loaded.flatMap((one) => one[kind] ?? []);
  return {
    gateways: all('gateways') as GatewayMember[],
    insights: all('insights') as InsightProvider[],
    prices: all('prices') as PriceResolver[],
    customerValidators: all('customerValidators') as CustomerValidator[],
    routes: all('routes') as object[],
  };
}

async function load(path: string): Promise<Extension> {
  const found = await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    throw new WrongSetting(`POS_EXTENSIONS names ${path}, which cannot be loaded (${reason}).`);
  });
  const exported: Extension = { ...found };
  const parsed = extensionSchema.safeParse(exported);
  if (!parsed.success) throw new WrongSetting(`POS_EXTENSIONS names ${path}: ${faultOf(parsed.error)}.`);
  return exported;
}

function faultOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue?.code === 'unrecognized_keys')
    return `it exports ${issue.keys.join(', ')}; an extension exports ${Object.keys(noExtensions).join(', ')} and nothing else`;
  const [first, ...rest] = issue?.path.map(String) ?? [];
  const place = rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
  return `${first}${place} ${issue?.message}`;
}
