import { TestEnvironment } from 'jest-environment-node';
import { dropDatabases } from './what-is-left.ts';

/** Node's own; what a file made on the shared server goes when the file ends: 800 files would fill a disk. */
export default class FilesEnvironment extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown();
    await dropDatabases();
  }
}
