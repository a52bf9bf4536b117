import { appendFileSync } from 'node:fs';
import { noteStatements } from './support/note-statements.ts';

/**
 * Loaded before a process: writes down every statement with its values and the rows it brought. What the baseline does is
 * thereby what the route does, today and after every change.
 */
const file = process.env['BENCH_RECORDING'];

if (file !== undefined) noteStatements((one) => appendFileSync(file, `${JSON.stringify(one)}\n`));
