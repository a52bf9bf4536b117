import type { EntityManager } from '@mikro-orm/postgresql';
import type { IncomingMessage } from 'node:http';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import type { ReceiptNotice } from '../../../providers/receipts/receipt-actions.ts';
import type { ApiParts } from '../../http/mount.ts';

/** The actions of a visitor on a receipt's page; each has a separate limit (spec 8). */
export type VisitAction = 'view' | 'email' | 'download' | 'claim';

/** One request for an existing receipt. */
export interface ReceiptVisit {
  parts: ApiParts;
  em: EntityManager;
  incoming: IncomingMessage;
  requestId: string;
  now: Date;
  /** The visitor's address, as limits count it. */
  address: string;
  /** The key by which the receipt is found and counted. */
  tokenDigest: string;
  view: ReceiptView;
  /** The receipt's present content. */
  reread: () => Promise<ReceiptView>;
}

/** The answer: the receipt with the result of an action, or a file. */
export type VisitAnswer =
  | { status: number; view: ReceiptView; notice?: ReceiptNotice }
  | { file: Buffer | undefined; filename: string; type: string };
