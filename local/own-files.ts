/** What a start puts into the data directory; nothing else there is ours to touch. */
export const ownFiles = [
  'postgres',
  'temporal',
  'logs',
  'examples',
  'compile-cache',
  'gateway-simulator.jsonl',
  'workflows.js',
  'tokens.json',
  'secret-key',
  'ready.json',
  'processes.json',
  'start.lock',
] as const;
