import { appendFileSync } from 'node:fs';
import { noteStatements } from './support.ts';

/**
 * Loaded into a process: records every statement with its values and its rows. So the baseline always does what the
 * route does.
 */
const file = process.env['BENCH_RECORDING'];

if (file !== undefined) noteStatements((one) => appendFileSync(file, `${JSON.stringify(one)}\n`));
