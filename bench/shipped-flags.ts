import { readFileSync } from 'node:fs';

/** The flags a process runs under in production: those of its script in `package.json`. */
export function shippedFlags(script: 'api' | 'worker'): string {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
  const flags = /exec node (.*?)\s*dist\/\w+\/main\.js/.exec(scripts[script] ?? '')?.[1] ?? '';
  return flags.trim();
}
