import { z } from 'zod';

/** What the document says of a schema that stands where no schema reads. */
export function documented(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _version, ...shape } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  });
  return shape;
}

/**
 * An argument that its route reads itself, because it checks something else first or answers in other words. It is
 * documented with its schema, and passed as sent.
 */
export const unread = (schema: z.ZodType) => z.unknown().optional().meta(documented(schema));
