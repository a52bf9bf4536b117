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
 * An argument that its route reads itself, because something else is said first or in other words; documented as what it
 * is. It comes as it was sent.
 */
export const unread = (schema: z.ZodType) => z.unknown().optional().meta(documented(schema));
