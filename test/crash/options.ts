import { toolOptions } from '../../local/tool-options.ts';

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
  /** Notes in `matrix.txt` how far each flow has come. */
  isNoted: boolean;
  /** Only prints what was tried so far. */
  isTable: boolean;
}

const tool = {
  command: 'npm run tools -- crash-matrix',
  about: 'Kills API and worker at every step of every flow, and asks every rule of the books afterwards.',
  options: {
    flow: { type: 'string', multiple: true, value: 'F1,F3', says: 'these flows; else every one' },
    seed: { type: 'string', isNumber: true, says: 'of the order in which points are tried' },
    lanes: { type: 'string', default: '2', isNumber: true, says: 'how many shops are worked in at once' },
    state: { type: 'string', default: '.data/crash-matrix.jsonl', value: 'FILE', says: 'where what was tried is kept' },
    fresh: { type: 'boolean', default: false, says: 'begin anew, whatever was tried before' },
    'per-flow': { type: 'string', isNumber: true, says: 'at most so many points of each flow, by chance' },
    kind: {
      type: 'string',
      default: 'all',
      oneOf: ['all', 'moves'],
      value: 'KIND',
      says: 'moves: not what only reads',
    },
    minutes: { type: 'string', isNumber: true, says: 'stop after so many' },
    note: { type: 'boolean', default: false, says: 'renew the rows of matrix.txt that are covered at least as well' },
    table: { type: 'boolean', default: false, says: 'only print what was tried so far' },
  },
} as const;

export function readOptions(given: readonly string[]): MatrixOptions {
  const values = toolOptions(tool, given);
  return {
    flows: values.flow?.flatMap((names) => names.split(',')),
    seed: Number(values.seed ?? 1),
    lanes: Number(values.lanes),
    state: values.state,
    isFresh: values.fresh,
    perFlow: values['per-flow'] === undefined ? undefined : Number(values['per-flow']),
    kind: values.kind === 'moves' ? 'moves' : 'all',
    minutes: values.minutes === undefined ? undefined : Number(values.minutes),
    isNoted: values.note,
    isTable: values.table,
  };
}
