import { expect, test } from '@jest/globals';
import { z } from 'zod';
import type { AnyRoute } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';

/** Where a schema has a list without an end, by the keys on the way. */
function endlessIn(json: unknown, way: string): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const isEndless = Reflect.get(json, 'type') === 'array' && typeof Reflect.get(json, 'maxItems') !== 'number';
  const inner = Object.entries(json).flatMap(([key, value]) => endlessIn(value, `${way}.${key}`));
  return isEndless ? [way, ...inner] : inner;
}

const sent = routes.filter(({ body, query }) => body !== undefined || query !== undefined);

test.each(sent.map((route): [string, AnyRoute] => [`${route.method} ${route.path}`, route]))(
  '%s says of each list how long it may be',
  (_name, { body, query }) => {
    const schemas = [body, query].filter((schema) => schema !== undefined);
    const endless = schemas.flatMap((schema) =>
      // What is read in another form shows its lists on one side only.
      (['input', 'output'] as const).flatMap((io) =>
        endlessIn(z.toJSONSchema(schema, { io, unrepresentable: 'any', cycles: 'ref' }), io),
      ),
    );
    expect(endless).toEqual([]);
  },
);
