/** The files that a start creates in the data directory; we change nothing else there. */
export const ownFiles = [
  'postgres',
  'temporal',
  'logs',
  'examples',
  'gateway-simulator.jsonl',
  'workflows.js',
  'tokens.json',
  'secret-key',
  'ready.json',
  'processes.json',
  'start.lock',
] as const;
