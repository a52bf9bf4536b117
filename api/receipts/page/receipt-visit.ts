import type { EntityManager } from '@mikro-orm/postgresql';
import type { IncomingMessage } from 'node:http';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import type { ReceiptNotice } from '../../../providers/receipts/receipt-actions.ts';
import type { ApiParts } from '../../http/mount.ts';

/** What a visitor of a receipt's page may do; each has a limit of its own (spec 8). */
export type VisitAction = 'view' | 'email' | 'download' | 'claim';

/** One request for a receipt that is there. */
export interface ReceiptVisit {
  parts: ApiParts;
  em: EntityManager;
  incoming: IncomingMessage;
  requestId: string;
  now: Date;
  /** Of the visitor, as limits count it. */
  address: string;
  /** By which the receipt is found and counted. */
  tokenDigest: string;
  view: ReceiptView;
  /** The receipt as it shows now. */
  reread: () => Promise<ReceiptView>;
}

/** What is answered: the receipt, with what became of a wish; or a file. */
export type VisitAnswer =
  | { status: number; view: ReceiptView; notice?: ReceiptNotice }
  | { file: Buffer | undefined; filename: string; type: string };
