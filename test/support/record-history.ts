import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** Of the version that comes next: what its code records. Histories of earlier releases stand beside them, and stay. */
const folder = () => `test/workflows/histories/${JSON.parse(readFileSync('package.json', 'utf8')).version}`;

/**
 * With RECORD=1: keeps a closed workflow's history as a replay fixture of this version, unless it exists; fixtures are
 * never edited.
 */
export async function recordHistory(client: Client, workflowId: string, name: string, runId?: string): Promise<number> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const history = await handle.fetchHistory();
  const file = `${folder()}/${name}.json`;
  if (process.env['RECORD'] === '1' && !existsSync(file)) {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(
      file,
      oneEventALine(historyToJSON(history).replaceAll(/"identity":\s*"[^"]*"/g, '"identity":"worker"')),
    );
  }
  return history.events?.length ?? 0;
}

/** Short to scroll, and a difference names the event. */
function oneEventALine(text: string): string {
  const { events = [], ...others } = JSON.parse(text) as { events?: unknown[] };
  if (Object.keys(others).length > 0)
    throw new Error(`a history has more than events: ${Object.keys(others).join(', ')}`);
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}
