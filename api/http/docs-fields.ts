import { isJson, propertiesOf, requiredOf, type Json } from './openapi/json.ts';
import { escapeHtml, markdownLine } from './plain-markdown.ts';

/** Tables of the fields that operations take and answer, made from the API document, so that no script is needed to read them. */
export interface FieldTables {
  /** What an operation takes and answers. */
  ofOperation(operation: Json): string;
  /** Objects that several operations share, each once. */
  shapes(): string;
}

/**
 * @param document the document of one chapter
 * @param page the address of the page that has the shapes
 */
export function fieldTables(document: Json, page: string): FieldTables {
  const components = partOf(document, 'components');
  const schemas = partOf(components, 'schemas');
  const pen = { page, schemas };
  const inlined = new Set<string>();

  /** An operation's own object is shown with it. */
  const opened = (schema: Json): Json => {
    const name = nameIn(schema);
    const shape = name === undefined ? undefined : schemas[name];
    if (name === undefined || !isJson(shape) || !/(?:Request|Answer)$/.test(name)) return schema;
    inlined.add(name);
    return shape;
  };
  const parametersOf = (operation: Json) =>
    listOf(operation['parameters'])
      .map((one) => referred(one, partOf(components, 'parameters')))
      .filter((one) => one['in'] !== 'header')
      .map((one) =>
        row(String(one['name']), partOf(one, 'schema'), {
          pen,
          isRequired: one['required'] === true,
          says: one['description'],
        }),
      );

  return {
    ofOperation(operation) {
      const body = bodyOf(operation['requestBody']);
      const answer = bodyOf(partOf(operation, 'responses')['200']);
      return [
        table('In the address', parametersOf(operation)),
        body === undefined ? '' : table('It takes', rowsOf(opened(body), pen)),
        answer === undefined ? '' : table('It answers', rowsOf(opened(answer), pen)),
      ].join('');
    },
    shapes: () =>
      Object.entries(schemas)
        .filter(([name]) => !inlined.has(name))
        .map(
          ([name, shape]) =>
            `<div class="shape" id="shape-${name}">${table(name, rowsOf(isJson(shape) ? shape : {}, pen))}</div>`,
        )
        .join('\n'),
  };
}

interface Pen {
  page: string;
  schemas: Json;
}

const partOf = (parent: Json, key: string): Json => (isJson(parent[key]) ? parent[key] : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const nameIn = ({ $ref }: Json): string | undefined => (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined);

function referred(given: Json, known: Json): Json {
  const name = nameIn(given);
  return name === undefined ? given : partOf(known, name);
}

function bodyOf(holder: unknown): Json | undefined {
  const content = isJson(holder) ? partOf(partOf(holder, 'content'), 'application/json') : {};
  return isJson(content['schema']) ? content['schema'] : undefined;
}

const table = (title: string, rows: readonly string[]) =>
  rows.length === 0 ? '' : `<h3>${escapeHtml(title)}</h3><table class="fields">${rows.join('')}</table>`;

/** One row for each field; what is no object is one row. */
function rowsOf(schema: Json, pen: Pen, before = ''): string[] {
  const fields = Object.entries(propertiesOf(schema));
  if (fields.length === 0)
    return [
      row(before === '' ? '' : before.slice(0, -1), schema, { pen, isRequired: false, says: schema['description'] }),
    ];
  return fields.flatMap(([name, inner]) => {
    const own = row(`${before}${name}`, inner, {
      pen,
      isRequired: requiredOf(schema).includes(name),
      says: inner['description'],
    });
    const below = belowOf(inner);
    return below === undefined ? [own] : [own, ...rowsOf(below.schema, pen, `${before}${name}${below.mark}`)];
  });
}

/** The fields of an object, or of a list's rows, that has no name of its own. */
function belowOf(schema: Json): { schema: Json; mark: string } | undefined {
  if (Object.keys(propertiesOf(schema)).length > 0) return { schema, mark: '.' };
  const items = schema['items'];
  if (isJson(items) && Object.keys(propertiesOf(items)).length > 0) return { schema: items, mark: '[].' };
  const inner = schema['contentSchema'];
  return isJson(inner) && Object.keys(propertiesOf(inner)).length > 0 ? { schema: inner, mark: '.' } : undefined;
}

interface Said {
  pen: Pen;
  isRequired: boolean;
  says: unknown;
}

const row = (name: string, schema: Json, { pen, isRequired, says }: Said) =>
  `<tr><td><code>${escapeHtml(name).replaceAll('.', '.<wbr>')}</code></td><td>${typeHtml(schema, pen)}${isRequired ? ', <b>needed</b>' : ''}</td><td>${markdownLine(typeof says === 'string' ? says : '')}</td></tr>`;

function typeHtml(schema: Json, pen: Pen): string {
  const name = nameIn(schema);
  if (name !== undefined) return `<a href="${pen.page}#shape-${name}">${name}</a>`;
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  if (choices.length > 0) return [...new Set(choices.map((one) => typeHtml(one, pen)))].join(' or ');
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((one) => `<code>${escapeHtml(JSON.stringify(one))}</code>`).join(' or ');
  if ('const' in schema) return `<code>${escapeHtml(JSON.stringify(schema['const']))}</code>`;
  if (isJson(schema['items'])) return `list of ${typeHtml(schema['items'], pen)}${mostOf(schema)}`;
  if (isJson(schema['contentSchema'])) return 'JSON in a string';
  const type = [schema['type']].flat().filter((one) => typeof one === 'string');
  return `${type.length === 0 ? 'any' : type.join(' or ')}${limitOf(schema)}`;
}

const mostOf = ({ maxItems }: Json) => (typeof maxItems === 'number' ? `, at most ${maxItems}` : '');

/** `at most 255`, `1 to 500`, `date-time` */
function limitOf({ format, maxLength, minimum, maximum }: Json): string {
  const most = maxLength ?? maximum;
  const least = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const isBounded = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER;
  const range = isBounded
    ? least === undefined
      ? `at most ${most}`
      : `${least} to ${most}`
    : least === undefined
      ? undefined
      : `from ${least}`;
  const said = [typeof format === 'string' ? format : undefined, range].filter((one) => one !== undefined);
  return said.length === 0 ? '' : ` (${escapeHtml(said.join(', '))})`;
}
