import { ForksPoolWorker, type PoolOptions } from 'vitest/node';

const limitBytes = 1_000_000_000;

/** A worker process that ends when it keeps too much after a test file; the next file gets a new one. */
class FrugalWorker extends ForksPoolWorker {
  override readonly name = pool.name;
  readonly reportMemory = true;
  #usedBytes = 0;

  override deserialize(message: unknown): unknown {
    if (typeof message === 'object' && message !== null && 'usedMemory' in message)
      this.#usedBytes = Number(message.usedMemory);
    return super.deserialize(message);
  }

  canReuse(): boolean {
    return this.#usedBytes < limitBytes;
  }
}

/** Vitest's own pool of processes has no limit. */
export const pool = { name: 'frugal', createPoolWorker: (options: PoolOptions) => new FrugalWorker(options) };
