import { creditsOf } from '../../providers/credits/credits.ts';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import type { Log } from '../../providers/log.ts';
import { createReturns } from '../../providers/returns/returns.ts';

const say = () => undefined;

/** A log that says nothing. */
export const silent: Pick<Log, 'debug' | 'info' | 'warn' | 'error'> = { debug: say, info: say, warn: say, error: say };

/** The built-in returns alone, as a shop that set nothing has them. */
export const builtInReturns = createReturns({
  remote: undefined,
  readSetting: (path) => Promise.resolve(settingDefaults[path] ?? ''),
});

/** Nobody keeps credit. */
export const noCredits = creditsOf([]);
