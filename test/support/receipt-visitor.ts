import { saveReceipt, type NewReceipt } from '../../db/receipts/save-receipt.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import { money, pieces } from '../../domain/money.ts';
import { testApi, type TestApi, type TestApiOptions } from './api.ts';
import { secretBox, secretKey } from './builders/counter.ts';
import { firstId } from './first-id.ts';

/** A page as a browser without scripts gets it. */
export interface Page {
  status: number;
  html: string;
  headers: Headers;
}

export interface Visitor {
  api: TestApi;
  /** Mails that the test's worker was asked to send. */
  mails: unknown[];
  /** Opens a page; each place has its own address. */
  visit: (path: string, from?: string, init?: RequestInit) => Promise<Page>;
  post: (
    path: string,
    fields: Record<string, string>,
    from?: string,
    headers?: Record<string, string>,
  ) => Promise<Page>;
}

/** Answers a workflow's update instead of the worker. */
export type Worker = (update: string, input: unknown) => unknown;

/** The API and visitors of receipts. Each visitor has its own address behind a trusted proxy. */
export async function receiptVisitor(worker: Worker, options: TestApiOptions = {}): Promise<Visitor> {
  const mails: unknown[] = [];
  const workflows: Workflows = {
    ask: async ({ update, workflow, input }) => {
      if (workflow === 'mailWorkflow') mails.push(input);
      return (await worker(update.name, input)) as never;
    },
    signal: () => Promise.reject(new Error('no signal was to be sent')),
    start: async () => undefined,
    refuseWhileAway: async () => undefined,
    isReachable: async () => true,
  };
  const settings = { POS_SECRET_KEY: secretKey, TRUSTED_PROXIES: '127.0.0.1', PUBLIC_BASE_URL: 'https://shop.test' };
  const api = await testApi({ workflows, ...options, settings: { ...settings, ...options.settings } });
  const visit: Visitor['visit'] = async (path, from = '203.0.113.1', init = {}) => {
    const headers = { 'x-forwarded-for': from, ...(init.headers as Record<string, string> | undefined) };
    const answer = await fetch(api.url + path, { redirect: 'manual', ...init, headers });
    return { status: answer.status, html: await answer.text(), headers: answer.headers };
  };
  return {
    api,
    mails,
    visit,
    post: (path, fields, from, headers = {}) =>
      visit(path, from, { method: 'POST', body: new URLSearchParams(fields), headers }),
  };
}

let made = 0;

/** Stores a receipt of two mugs and returns its token. */
export async function aStoredReceipt({ api }: Visitor, fields: Partial<NewReceipt['fields']> = {}): Promise<string> {
  const token = (++made).toString(16).padStart(64, 'a');
  await saveReceipt(api.orm.em.fork(), secretBox, {
    fields: {
      posOrderId: `visited-${made}`,
      currency: 'USD',
      grandTotal: money('108'),
      locationId: firstId,
      ...fields,
    },
    items: [{ sku: 'MUG', name: 'Mug', qty: pieces(2), price: money('50'), rowTotal: money('100') }],
    receiptToken: token,
  });
  return token;
}
