import { loadSettings } from '../../providers/settings.ts';
import { CannotStart } from '../cannot-start.ts';
import { steps } from '../step.ts';
import { prepareDatabase, type Reported } from './examples.ts';

/**
 * The process of `prepareApart`: the argument is the API's address, everything else a setting. It starts with the
 * parent's first message.
 */
const [api = ''] = process.argv.slice(2);
const { DATABASE_URL: url = '', POS_DATA_DIR: dataDir, POS_SECRET_KEY: secretKey = '', POS_DEMO } = loadSettings();
const step = steps((reply) => void tell({ said: reply }));

await new Promise((resolve) => process.once('message', resolve).channel?.ref());
process.channel?.unref();

try {
  await tell({ prepared: await prepareDatabase({ url, dataDir, secretKey, api, hasDemoShop: POS_DEMO, step }) });
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  await tell({ refused: error.message });
}

/** Settles when the parent has it: a process that ends sooner takes the message with it. */
function tell(reported: Reported): Promise<void> {
  return new Promise((resolve) => process.send?.(reported, () => resolve()));
}
