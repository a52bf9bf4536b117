import { z } from 'zod';
import { inSnakeCase } from './in-snake-case.ts';
import { toSnakeCase } from './spelling.ts';

/** An object that is only stored: as posted, with its keys in the spelling of answers. */
export const wireRecord = z
  .record(z.string(), z.unknown())
  .transform((given) =>
    Object.fromEntries(Object.entries(given).map(([key, value]) => [toSnakeCase(key), inSnakeCase(value)])),
  );
