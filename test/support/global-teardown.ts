import type { TestServers } from './global-setup.ts';

export default async function tearDown(): Promise<void> {
  await (globalThis as { testServers?: TestServers }).testServers?.postgres.stop();
}
