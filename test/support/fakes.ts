import { creditsOf } from '../../providers/credits/credits.ts';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { createSecretBox } from '../../db/support/secret-box.ts';
import type { Log } from '../../providers/log.ts';
import { createReturns } from '../../providers/returns.ts';

const say = () => undefined;

/** A log without output. */
export const silent: Pick<Log, 'debug' | 'info' | 'warn' | 'error'> = { debug: say, info: say, warn: say, error: say };

/** Only the built-in returns, as in a shop without settings. */
export const builtInReturns = createReturns({
  remote: undefined,
  readSetting: (path) => Promise.resolve(settingDefaults[path] ?? ''),
});

/** Seals and opens under a key of the tests. */
export const secrets = createSecretBox(Buffer.alloc(32, 7).toString('base64'));

/** No provider of credit. */
export const noCredits = creditsOf([]);

/** A key of the tests' own. */
export const testSecrets = createSecretBox(Buffer.alloc(32, 7).toString('base64'));
