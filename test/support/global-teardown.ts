import { rmSync } from 'node:fs';
import type { TestServers } from './global-setup.ts';

export default async function tearDown(): Promise<void> {
  const servers = (globalThis as { testServers?: TestServers }).testServers;
  if (servers) await stopTestServers(servers);
}

export async function stopTestServers({ postgres, temporal, folder }: TestServers): Promise<void> {
  await Promise.all([postgres.stop(), temporal?.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
