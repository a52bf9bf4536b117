import { openQuestions } from '../providers/temporal/open-questions.ts';
import type { Stack } from './stack.ts';

/** Prints where everything is: one table, what to try first, and how to stop. */
export function announce({ ready, dataDir, examples }: Stack, { seconds }: { seconds: number }): void {
  const rows: [string, string | null][] = [
    ['API', ready.api],
    ['Guide, API page', ready.docs.replace(/docs$/, '')],
    ['Operator’s page', ready.docs.replace(/docs$/, 'ops')],
    ['A till', examples.length === 0 ? null : ready.docs.replace(/docs$/, 'demo/till')],
    ['Temporal UI', ready.temporalUi && openQuestions(ready.temporalUi, ready.temporalNamespace)],
    ['Gateway simulator', ready.gateway],
    ['License simulator', ready.license],
    ['Webhook catcher', ready.webhooks],
    ['Mail catcher', ready.mail],
    ['PostgreSQL', ready.database],
    ['Temporal', `${ready.temporal}, namespace ${ready.temporalNamespace}`],
    ['Worker metrics', ready.metrics],
    ['Register token', ready.registerToken],
    ['Set-up token', `${ready.setUpToken} (activates a terminal; opens refunds, too)`],
    ['Administrator token', ready.adminToken],
    ['Data, logs', `${dataDir}, ${dataDir}/logs`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\nReady in ${seconds.toFixed(1)} s.\n`);
  for (const [name, value] of rows) if (value !== null) console.log(`  ${name.padEnd(width)}  ${value}`);
  if (examples.length > 0) console.log('\nTry it, from another terminal:\n');
  for (const { title, command } of examples) console.log(`  # ${title}\n  ${command}\n`);
  console.log("npm run demo plays a register's first day. Ctrl-C stops everything; the data stay.");
}
