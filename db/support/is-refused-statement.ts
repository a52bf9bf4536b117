/**
 * Whether PostgreSQL itself refused a statement: its data, its rules, a deadlock. Another one may go well. False where
 * the server is away or going, which the next statement would only find out again.
 */
export function isRefusedStatement(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|53|57)/.test(code);
}
