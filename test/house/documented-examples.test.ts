import { expect, test } from '@jest/globals';
import { openApiOf } from '../../api/http/openapi/document.ts';
import { isJson } from '../../api/http/openapi/json.ts';
import { routes } from '../../api/routes.ts';
import { documentSchemas } from '../support/document-schemas.ts';

const document = openApiOf(routes, { title: 'Point of sale', version: '1.3.0' });

interface Shown {
  /** Of the part that has the schema and its examples. */
  way: readonly string[];
  title: string;
  value: unknown;
}

/** Every example of a body, sent or answered, with the way to its schema. */
function shown(part: unknown, way: readonly string[]): Shown[] {
  if (!isJson(part)) return [];
  const { schema, examples } = part;
  if (isJson(schema) && isJson(examples))
    return Object.entries(examples).flatMap(([title, one]) =>
      isJson(one) ? [{ way, title, value: one['value'] }] : [],
    );
  return Object.entries(part).flatMap(([key, inner]) => shown(inner, [...way, key]));
}

test('an example of the document is as its schema there says: tools check the one by the other', () => {
  const schemas = documentSchemas(document);
  const all = shown(document['paths'], ['paths']);
  expect(all.length).toBeGreaterThan(800);
  const faults = all.flatMap(({ way, title, value }) => {
    const check = schemas.at([...way, 'schema']);
    return check?.(value) === true ? [] : [`${way.join(' ')} ${title}: ${schemas.says(check?.errors, 'it')}`];
  });
  expect(faults).toEqual([]);
});
