import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chapterDocument, isJson, type Json } from '../api/http/openapi/json.ts';
import { chapterOf } from '../api/http/openapi/meaning.ts';
import { refusalName } from '../api/http/openapi/refusals.ts';
import { openApiOf } from '../api/http/openapi/document.ts';
import { routes } from '../api/routes.ts';
import { isEntryPoint } from '../db/support/is-entry-point.ts';

/**
 * `npm run tools -- client:renew`: writes the types of the client, from the API document. A test makes them again and
 * compares.
 *
 * Of the document it takes what a register calls, without its texts: the guide and the API page have those.
 */
const file = fileURLToPath(new URL('../client/generated.ts', import.meta.url));
const generator = fileURLToPath(new URL('../client/node_modules/openapi-typescript/bin/cli.js', import.meta.url));

/** Chapters that a register needs as a whole. */
const chapters = [
  ...['Start', 'Sell', 'Hold', 'Return', 'Refund in doubt', 'Layaway', 'Credit', 'Customers', 'Receipts', 'Audit'],
  'Register reports',
];

/** What it needs of the platform. */
const alsoNeeded = [
  'GET /V1/products',
  'GET /V1/products/:sku',
  'GET /V1/customers/search',
  'GET /V1/invoices',
  'POST /V1/invoices/:id/capture',
  'GET /V1/shipments',
  'GET /V1/creditmemos',
  'GET /V1/pos/locations',
  'GET /V1/pos/terminals',
  'GET /V1/store/websites',
  'GET /V1/store/storeGroups',
  'GET /V1/store/storeConfigs',
  'GET /V1/directory/currency',
  'GET /V1/customerGroups/:id',
  'GET /V1/taxRates/search',
  'GET /V1/taxRules/search',
  'POST /V1/integration/admin/token',
  'GET /V1/pos/events',
];

const own = 'Client';

/** The text of `client/generated.ts`, as the API document has it now. */
export function clientTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'generated.ts')];
    writeFileSync(input, JSON.stringify(documentOfClient()));
    execFileSync(process.execPath, [generator, input, '--output', output], { stdio: 'pipe' });
    return withoutEmptyPlaces(readFileSync(output, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A place of an operation that says nothing is left out: it was a third of the file. */
const withoutEmptyPlaces = (text: string) =>
  text
    .replaceAll(
      /^ +(?:get|put|post|delete|options|head|patch|trace|query|header|path|cookie|requestBody)\?: never;\n/gm,
      '',
    )
    .replaceAll(/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, '')
    .replaceAll(/^ +parameters: \{\n +\};\n/gm, '')
    .replaceAll(/^( +)/gm, (indent) => ' '.repeat(indent.length / 2));

function documentOfClient(): Json {
  const needed = routes.filter(
    ({ method, path }) => chapters.includes(chapterOf(path)) || alsoNeeded.includes(`${method} ${path}`),
  );
  const whole = openApiOf(needed, { title: 'Point of sale', version: '1' });
  const paths = Object.fromEntries(
    Object.entries(recordOf(whole['paths'])).map(([path, methods]) => [
      path.replace('/rest', ''),
      Object.fromEntries(Object.entries(recordOf(methods)).map(([method, one]) => [method, plainOperation(one)])),
    ]),
  );
  const { components, ...rest } = chapterDocument({ ...whole, paths }, own);
  const { schemas } = recordOf(components);
  return { ...rest, tags: [], components: { schemas: withoutTexts(schemas) } };
}

/** Of refusals it keeps the codes with what they carry: the envelope is the same everywhere. */
function plainOperation(operation: unknown): Json {
  const { summary, requestBody, responses, parameters } = recordOf(operation);
  const answers = Object.entries(recordOf(responses)).flatMap(([status, response]) => {
    const { content, 'x-outcomes': codes } = recordOf(response);
    if (status !== '200' && !Array.isArray(codes)) return [];
    const schema =
      status === '200' ? recordOf(recordOf(content)['application/json'])['schema'] : { anyOf: parametersOf(codes) };
    return [[status, { description: '', content: { 'application/json': { schema: withoutTexts(schema) } } }] as const];
  });
  const sent = recordOf(recordOf(recordOf(requestBody)['content'])['application/json'])['schema'];
  return {
    summary,
    tags: [own],
    parameters: (Array.isArray(parameters) ? parameters : []).filter(isPlain).map((one) => withoutTexts(one)),
    ...(sent === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: withoutTexts(sent) } } } }),
    responses: Object.fromEntries(answers),
  };
}

const parametersOf = (codes: unknown): Json[] =>
  [codes].flat().map((code) => ({ $ref: `#/components/schemas/${refusalName(String(code))}` }));

/** Headers are the core's own; a search is made by the criteria builder. */
const isPlain = (parameter: unknown) =>
  isJson(parameter) &&
  !('$ref' in parameter) &&
  parameter['in'] !== 'header' &&
  !String(parameter['name']).includes('[');

const texts = new Set(['description', 'example', 'examples', 'default', 'readOnly', 'writeOnly', 'format', 'title']);

/** A text with JSON inside is a shape with one key, by which the client knows what is inside. */
function withoutTexts(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one));
  if (!isJson(value)) return value;
  if (!isNames && 'contentSchema' in value)
    return { type: 'object', properties: { jsonText: withoutTexts(value['contentSchema']) }, required: ['jsonText'] };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !texts.has(key))
      .map(([key, inner]) => [key, withoutTexts(inner, !isNames && (key === 'properties' || key === 'schemas'))]),
  );
}

const recordOf = (value: unknown): Json => (isJson(value) ? value : {});

if (isEntryPoint(import.meta)) {
  writeFileSync(file, clientTypes());
  console.log('client/generated.ts is what the API document says.');
}
