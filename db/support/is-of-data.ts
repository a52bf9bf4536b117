/** PostgreSQL's errors about values: data exceptions, violated checks, texts beyond its limits. */
export function isOfData(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^(?:22|23|54)/.test(code);
}
