import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { openApiOf } from '../../../api/http/openapi/document.ts';
import { route } from '../../../api/http/route.ts';
import { answerFaults } from '../../support/answer-faults.ts';

const line = z.object({ sku: z.string(), qty: z.number() });
const routes = [
  route({
    method: 'GET',
    path: '/V1/tills/:id',
    acl: 'anonymous',
    summary: 'Read a till',
    params: z.object({ id: z.int() }),
    response: z.object({ name: z.string(), openedAt: z.string().nullable(), lines: z.array(line) }),
    handle: async () => ({ name: 'Till', openedAt: null, lines: [] }),
  }),
  route({
    method: 'PUT',
    path: '/V1/tills/:id',
    acl: 'anonymous',
    summary: 'Count a till',
    isDoubleEncoded: true,
    params: z.object({ id: z.int() }),
    response: z.object({ counted: z.boolean() }),
    handle: async () => ({ counted: true }),
  }),
];
const document = openApiOf(routes, { title: 'Tills', version: '1' });

const till = { name: 'Till 1', openedAt: null, lines: [{ sku: 'MUG', qty: 2 }] };
const read = { method: 'GET', path: '/rest/V1/tills/:tillId', status: 200, type: 'application/json' };
const faultsOf = (answer: object) => answerFaults(document, [{ ...read, text: JSON.stringify(till), ...answer }]);

test('an answer that is as the document says has no fault, whatever the route calls its variable', () => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ method: 'PUT', text: JSON.stringify('{"counted":true}') })).toEqual([]);
});

test.each([
  ['without a key', { text: JSON.stringify({ ...till, name: undefined }) }, "must have required property 'name'"],
  ['with a key of another type', { text: JSON.stringify({ ...till, name: 1 }) }, 'the answer/name must be string'],
  ['with a wrong line', { text: '{"name":"x","openedAt":null,"lines":[{"sku":"MUG"}]}' }, "required property 'qty'"],
  ['with a status of its own', { status: 201 }, 'a status that the document lacks'],
  ['that is a page', { type: 'text/html', text: '<p>' }, 'is text/html, and not JSON'],
  ['with an object for a text', { method: 'PUT', text: '{"counted":true}' }, 'is not a text with JSON in it'],
  ['with a wrong text', { method: 'PUT', text: '"{}"' }, "required property 'counted'"],
  ['of no operation', { method: 'DELETE' }, 'is not in the document'],
])('an answer %s is a fault', (_case, answer, said) => {
  expect(faultsOf(answer)).toEqual([expect.stringContaining(said)]);
});
