import type { Log } from '../../providers/log.ts';

const say = () => undefined;

/** A log that says nothing. */
export const silent: Pick<Log, 'debug' | 'info' | 'warn' | 'error'> = { debug: say, info: say, warn: say, error: say };
