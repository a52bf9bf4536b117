import { examplesOf } from '../../../api/http/openapi/meaning.ts';
import { outcomesOf } from '../../../api/http/openapi/refusals.ts';
import type { AnyRoute, Example } from '../../../api/http/route.ts';
import { credentials } from '../../../local/demo-shop/stores.ts';
import type { SeenAnswer } from '../../support/seen-answers.ts';

export interface SentExample {
  /** Method, path and title. */
  name: string;
  answer: SeenAnswer;
  /** The code or the sentence of a refusal. */
  said: string | undefined;
  /** Whether the document tells this refusal of the operation. */
  isDocumented: boolean;
}

interface Shop {
  api: string;
  adminToken: string;
}

/** What is there is read and changed before anything is deleted. */
const order = ['GET', 'PUT', 'POST', 'DELETE'];

/**
 * Sends every documented request to a started demo shop, with the kind of token that its operation needs. Carts go by
 * the ids of carts that are open; all else is sent as the document shows it.
 */
export async function sendExamples(routes: readonly AnyRoute[], shop: Shop): Promise<SentExample[]> {
  const { api, adminToken } = shop;
  const ask = async (method: string, path: string, { token, body }: { token?: string; body?: unknown }) =>
    String(await (await send(api, { method, path }, token, body)).json());
  const signIn = (kind: 'admin' | 'customer', body: object) => ask('POST', `/V1/integration/${kind}/token`, { body });
  const { username, password } = credentials.admin;
  const admin = await signIn('admin', { username, password });
  const [shopper, leaver] = credentials.customers;
  const visit = (one: typeof shopper | typeof leaver) =>
    signIn('customer', { username: one.email, password: one.password });
  const customer = await visit(shopper);

  const tokenFor = async (route: AnyRoute): Promise<string | undefined> => {
    const resources = [route.acl].flat();
    if (resources.includes('anonymous')) return undefined;
    // What signs a customer out is asked by another one.
    if (resources.includes('self')) return /revoke|password|customers\/me$/.test(route.path) ? visit(leaver) : customer;
    return route.isForAdmins ? admin : adminToken;
  };

  const goods = { cartItem: { sku: 'MUG-WHITE', qty: 2 } };
  const opened = {
    '/V1/guest-carts': await ask('POST', '/V1/guest-carts', {}),
    '/V1/carts': await ask('POST', '/V1/carts', { token: adminToken }),
  };
  await ask('POST', '/V1/carts/mine', { token: customer });
  await ask('POST', '/V1/carts/mine/items', { token: customer, body: goods });
  await ask('POST', `/V1/guest-carts/${opened['/V1/guest-carts']}/items`, { body: goods });
  await ask('POST', `/V1/carts/${opened['/V1/carts']}/items`, { token: adminToken, body: goods });
  const idsOf = ({ path }: AnyRoute) =>
    Object.entries(opened)
      .filter(([door]) => path.startsWith(`${door}/:cartId`))
      .map(([, cartId]) => ({ cartId }))[0] ?? {};

  const sent: SentExample[] = [];
  for (const route of routes.toSorted((one, other) => order.indexOf(one.method) - order.indexOf(other.method))) {
    for (const { title, params, query, body } of examplesOf(route)) {
      const path = pathOf(route, { ...params, ...idsOf(route) }, query);
      const response = await send(api, { method: route.method, path }, await tokenFor(route), body);
      sent.push(await seen(route, title, response));
    }
  }
  return sent;
}

function pathOf({ path }: AnyRoute, params: NonNullable<Example['params']>, query: string | undefined): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? name)));
  return `${filled}${query === undefined ? '' : `?${query}`}`;
}

const send = (api: string, { method, path }: { method: string; path: string }, token?: string, body?: unknown) =>
  fetch(`${api}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function seen(route: AnyRoute, title: string, response: Response): Promise<SentExample> {
  const text = await response.text();
  const { method, path } = route;
  const { status } = response;
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  const answer = { method, path: `/rest${path}`, status, type, text };
  const name = `${method} ${path} (${title})`;
  if (response.ok) return { name, answer, said: undefined, isDocumented: true };
  const { message, parameters }: { message: string; parameters?: { outcome?: string } } = JSON.parse(text);
  const code = parameters?.outcome;
  const isDocumented = outcomesOf(route).some(
    (outcome) =>
      outcome.status === status &&
      (outcome.code === undefined ? isSo(outcome.message, message) : outcome.code === code),
  );
  return { name, answer, said: code ?? message, isDocumented };
}

/** Of a sentence with `…` the part before it counts. */
function isSo(documented: string, said: string): boolean {
  const [beginning = '', ...rest] = documented.split('…');
  return rest.length === 0 ? documented === said : said.startsWith(beginning);
}
