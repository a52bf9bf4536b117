import { TestEnvironment } from 'jest-environment-node';
import { dropDatabases } from './what-is-left.ts';

/**
 * Jest gives its workers half a second to end. Nothing of ours is open then, but Node takes longer to give a large heap back
 * piece by piece, and Jest says that tests leak. So the process ends at once, as the last thing that it does.
 */
const endAtOnce = () => process.exit();

/** Node's own; what a file made on the shared server goes when the file ends: 800 files would fill a disk. */
export default class FilesEnvironment extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown();
    await dropDatabases();
    // Jest's main process, where no file has a worker, has more to do.
    if (process.send) process.off('exit', endAtOnce).on('exit', endAtOnce);
  }
}
