import { expect, test } from 'vitest';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isObjectType,
  isSpecifiedScalarType,
  isIntrospectionType,
  printSchema,
} from 'graphql';
import { contentQueries } from '../../../../api/content/graphql/content-queries.ts';
import { platformQueries } from '../../../../api/content/graphql/platform-queries.ts';
import { contentSchema, schemaText } from '../../../../api/content/graphql/graphql-schema.ts';
import { testApi } from '../../../support/api.ts';

const types = Object.values(contentSchema.getTypeMap()).filter(
  (type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type),
);

test('the schema that is answered is the file, descriptions included', async () => {
  const api = await testApi({ routes: [] });
  const { body } = await api.call('POST', '/graphql', { body: { query: getIntrospectionQuery() } });
  await api.close();
  expect(printSchema(buildClientSchema(body.data))).toBe(printSchema(buildSchema(schemaText)));
});

test('each query has its answer, and there is nothing but queries', () => {
  const answered = Object.keys({ ...contentQueries, ...platformQueries });
  expect(answered).toEqual(Object.keys(contentSchema.getQueryType()?.getFields() ?? {}));
  expect(contentSchema.getMutationType()).toBeUndefined();
  expect(contentSchema.getSubscriptionType()).toBeUndefined();
  expect(types.every(isObjectType)).toBe(true);
});

test('what only editors know has no field', () => {
  const fields = types.flatMap((type) => (isObjectType(type) ? Object.keys(type.getFields()) : []));
  const internal =
    /draft|version|number|revision|liveview|active|author|published|changed|theme|layout_update|uses|store|^id$/i;
  // Which store view answers is what the caller said.
  const said = ['storeConfig', 'store_code'];
  expect(fields.filter((name) => internal.test(name))).toEqual(said);
});

test('every type and query has a description', () => {
  const silent = Object.values(contentSchema.getQueryType()?.getFields() ?? {}).filter(
    ({ description }) => !description,
  );
  expect(silent).toEqual([]);
});
