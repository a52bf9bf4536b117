/**
 * The page of Temporal that lists the refunds in doubt: each open question is one row.
 *
 * @param ui the address of the Temporal UI, without a path
 */
export function openQuestions(ui: string, namespace: string): string {
  const page = new URL(`${ui.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`);
  page.searchParams.set('query', "PosRefundState = 'uncertain' AND ExecutionStatus = 'Running'");
  return page.href;
}
