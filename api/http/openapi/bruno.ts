import { strToU8, zipSync } from 'fflate';
import { registerResources } from '../../../domain/platform/access.ts';
import { isJson, slugOf, type Json } from './json.ts';

/**
 * The API document as a Bruno collection: a folder for each chapter, a request for each operation, with its first
 * example. It opens in Bruno, and `bru run` sends it from a shell. From top to bottom: who signs in comes first, who
 * signs out last.
 */
export function brunoCollection(document: Json): ReadonlyMap<string, string> {
  const { title, version, description } = recordOf(document['info']);
  const files = new Map<string, string>();
  const config = { version: '1', name: `${String(title)} ${String(version)}`, type: 'collection' };
  files.set('bruno.json', `${JSON.stringify(config, null, 2)}\n`);
  files.set(
    'collection.bru',
    blocks(
      ['auth', 'mode: bearer'],
      ['auth:bearer', 'token: {{token}}'],
      ['docs', `${ofTokens}\n\n${String(description)}`],
    ),
  );
  files.set('environments/shop.bru', environment);
  const named = listOf(document['tags']).map(({ name }) => String(name));
  const chapters = [...named.filter(isOfTokens), ...named.filter((name) => !isOfTokens(name)), signOut];
  for (const [at, chapter] of chapters.entries())
    files.set(`${slugOf(chapter)}/folder.bru`, blocks(['meta', `name: ${chapter}\nseq: ${at + 1}`]));
  const operations = Object.entries(recordOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(recordOf(methods)).map(([method, one]) => ({ path, method, operation: recordOf(one) })),
  );
  for (const [at, { path, method, operation }] of operations.entries()) {
    const [own = ''] = [operation['tags']].flat();
    const chapter = endsTokens(operation) ? signOut : own;
    files.set(
      `${slugOf(String(chapter))}/${String(operation['operationId'])}.bru`,
      requestOf({ path, method, operation, document, place: at + 1 }),
    );
  }
  return files;
}

const ofTokens = `**Variables.** \`api\` and \`token\` are yours: the address with \`/rest\`, and the access token of a register's integration. In the
local shop \`npm start\` prints both. \`adminToken\` and \`customerToken\` are kept by the two requests that sign in: send
those first. From a shell: \`bru run -r --env shop --env-var api=… --env-var token=…\`.`;

/** Where a request that ends a token stands: anywhere else, those behind it would be refused. */
const signOut = 'Sign out';
const isOfTokens = (chapter: string) => slugOf(chapter) === 'platform-tokens';
const endsTokens = ({ operationId }: Json) => operationId === 'revokeCustomerToken';

/** The variable that keeps what an operation answers, for the requests that come later. */
const placeholders: Readonly<Record<string, string>> = {
  createAdminToken: 'adminToken',
  createCustomerToken: 'customerToken',
};
const keepToken = ({ operationId }: Json): string => {
  const name = placeholders[String(operationId)];
  return name === undefined ? '' : `if (res.getStatus() === 200) bru.setVar('${name}', res.getBody());`;
};

const environment = `vars {
  api: http://127.0.0.1:8080/rest
}
vars:secret [
  token,
  adminToken,
  customerToken
]
`;

interface Requested {
  path: string;
  method: string;
  operation: Json;
  document: Json;
  place: number;
}

function requestOf({ path, method, operation, document, place }: Requested): string {
  const parameters = listOf(operation['parameters']).map((one) => resolved(one, document));
  const within = (where: string) => parameters.filter((one) => one['in'] === where);
  const url = `{{api}}${path.replace(/^\/rest/, '').replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const body = bodyOf(operation);
  const auth = authOf(operation);
  const query = within('query').map((one) => `${isShown(one) ? '' : '~'}${String(one['name'])}: ${valueOf(one)}`);
  const shownQuery = within('query')
    .filter(isShown)
    .map((one) => `${String(one['name'])}=${valueOf(one)}`);
  return blocks(
    ['meta', `name: ${oneLine(operation['summary'])}\ntype: http\nseq: ${place}`],
    [
      method,
      `url: ${url}${shownQuery.length === 0 ? '' : `?${shownQuery.join('&')}`}\nbody: ${body === undefined ? 'none' : 'json'}\nauth: ${auth.mode}`,
    ],
    ['params:query', query.join('\n')],
    [
      'params:path',
      within('path')
        .map((one) => `${String(one['name'])}: ${valueOf(one) || toFillIn(one)}`)
        .join('\n'),
    ],
    ['headers', within('header').map(headerOf).join('\n')],
    ['auth:bearer', auth.token === undefined ? '' : `token: {{${auth.token}}}`],
    ['body:json', body === undefined ? '' : JSON.stringify(body, null, 2)],
    ['script:post-response', keepToken(operation)],
    ['docs', textOf(operation['description'])],
  );
}

/** A write is a request of its own each time that a person sends it. */
const headerOf = (one: Json) =>
  one['name'] === 'Idempotency-Key' ? 'Idempotency-Key: {{$guid}}' : `~${String(one['name'])}: ${valueOf(one)}`;

/** What must be sent, and what the first example sends; the rest is there to be switched on. */
const isShown = ({ required, example }: Json) => required === true || example !== undefined;

const valueOf = ({ example }: Json) => (example === undefined || example === null ? '' : oneLine([example].flat()[0]));

/** A path has no gaps: a number that may be one, or a variable that the reader sets. */
const toFillIn = ({ name, schema }: Json) => (recordOf(schema)['type'] === 'integer' ? '1' : `{{${String(name)}}}`);

function authOf({ security, 'x-acl': acl, 'x-administrators': isForAdmins }: Json): { mode: string; token?: string } {
  if (Array.isArray(security) && security.length === 0) return { mode: 'none' };
  if (Array.isArray(acl) && acl.includes('self')) return { mode: 'bearer', token: 'customerToken' };
  const isRegisters = [acl].flat().every((one) => registerResources.some((own) => own === one));
  return isForAdmins === true || !isRegisters ? { mode: 'bearer', token: 'adminToken' } : { mode: 'inherit' };
}

function bodyOf(operation: Json): unknown {
  const content = recordOf(recordOf(recordOf(operation['requestBody'])['content'])['application/json']);
  const [first] = Object.values(recordOf(content['examples']));
  if (operation['requestBody'] === undefined) return undefined;
  return recordOf(first)['value'] ?? {};
}

/** Each block with its text two blanks in, as Bruno writes it; one without a text is left out. */
const blocks = (...all: readonly (readonly [name: string, text: string])[]) =>
  all
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} {\n${text.replaceAll(/^(?=.)/gm, '  ')}\n}\n`)
    .join('\n');

const textOf = (text: unknown) => (typeof text === 'string' ? text : '');
const oneLine = (text: unknown) =>
  (typeof text === 'string' ? text : JSON.stringify(text)).replaceAll(/\s+/g, ' ').trim();

function resolved(part: Json, document: Json): Json {
  const { $ref: reference } = part;
  if (typeof reference !== 'string') return part;
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((at, key) => recordOf(at[key]), document);
}

const recordOf = (value: unknown): Json => (isJson(value) ? value : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

/** The first day that a zip file can hold, so that the same files are the same zip. Zip files have no time zone. */
const zipDay = new Date(1980, 0, 1);

/** The files as one zip file. */
export const zipOf = (files: ReadonlyMap<string, string>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries([...files].map(([path, text]) => [path, strToU8(text)])), { mtime: zipDay }));
