import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'koa';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import type { Said } from '../../../providers/receipts/notice-words.ts';
import type { ApiParts } from '../../http/api-parts.ts';

/** The actions of a visitor on a receipt's page; each has a separate limit (spec 8). */
export type VisitAction = 'view' | 'email' | 'download' | 'claim';

/** One request for an existing receipt. */
export interface ReceiptVisit {
  parts: ApiParts;
  em: EntityManager;
  ctx: Context;
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

/** What became of an action; the receipt's language says it. */
export interface VisitNotice {
  said: Said;
  isProblem: boolean;
}

/** The answer: the receipt with the result of an action, or a file. */
export type VisitAnswer =
  | { status: number; view: ReceiptView; notice?: VisitNotice }
  | { file: Buffer | undefined; filename: string; type: string };
