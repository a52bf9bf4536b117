/**
 * Whether PostgreSQL itself refused a statement: because of its data, a rule, a deadlock. Another statement may
 * succeed. False where the server is away or shutting down, because the next statement would fail, too.
 */
export function isRefusedStatement(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|53|57)/.test(code);
}
