import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const folder = 'test/workflows/histories';

/** With RECORD=1: keeps a closed run's history as a replay fixture, unless it is there; fixtures are never edited. */
export async function recordHistory(client: Client, workflowId: string, name: string): Promise<number> {
  const handle = client.workflow.getHandle(workflowId);
  const history = await handle.fetchHistory();
  const file = `${folder}/${name}.json`;
  if (process.env['RECORD'] === '1' && !existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${historyToJSON(history).replaceAll(/"identity":\s*"[^"]*"/g, '"identity":"worker"')}\n`);
  }
  return history.events?.length ?? 0;
}
