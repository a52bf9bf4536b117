import { parseArgs } from 'node:util';

export interface MatrixOptions {
  /** Absent: every flow. */
  flows: string[] | undefined;
  /** Of the order in which points are tried. */
  seed: number;
  /** How many shops are worked in at once. */
  lanes: number;
  /** Where each point tried is written down, so that a run that was stopped goes on. */
  state: string;
  /** Begin anew, whatever was tried before. */
  isFresh: boolean;
  /** At most so many points of each flow in this run, by chance; absent: all. */
  perFlow: number | undefined;
  /** `moves`: not the points of statements that only read, which leave nothing behind. */
  kind: 'all' | 'moves';
  /** Absent: until every point was tried. */
  minutes: number | undefined;
  /** Only prints what was tried so far. */
  isTable: boolean;
}

export function readOptions(given: readonly string[]): MatrixOptions {
  const { values } = parseArgs({
    args: [...given],
    options: {
      flow: { type: 'string', multiple: true },
      seed: { type: 'string' },
      lanes: { type: 'string', default: '2' },
      state: { type: 'string', default: '.data/crash-matrix.jsonl' },
      fresh: { type: 'boolean', default: false },
      'per-flow': { type: 'string' },
      kind: { type: 'string', default: 'all' },
      minutes: { type: 'string' },
      table: { type: 'boolean', default: false },
    },
  });
  return {
    flows: values.flow?.flatMap((names) => names.split(',')),
    seed: Number(values.seed ?? 1),
    lanes: Number(values.lanes),
    state: values.state,
    isFresh: values.fresh,
    perFlow: values['per-flow'] === undefined ? undefined : Number(values['per-flow']),
    kind: values.kind === 'moves' ? 'moves' : 'all',
    minutes: values.minutes === undefined ? undefined : Number(values.minutes),
    isTable: values.table,
  };
}
