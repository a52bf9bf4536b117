import { rmSync } from 'node:fs';
import type { TestServers } from './global-setup.ts';

export default async function tearDown(): Promise<void> {
  const servers = (globalThis as { testServers?: TestServers }).testServers;
  await Promise.all([servers?.postgres.stop(), servers?.temporal?.stop()]);
  if (servers) rmSync(servers.folder, { recursive: true, force: true });
}
