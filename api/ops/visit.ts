import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Decider } from '../../db/ops/doubts.ts';
import { identityOf } from '../../db/staff/second-person.ts';
import type { OpsSessionRow } from '../../db/ops/people.ts';
import { invalid } from '../../domain/errors.ts';
import { grants } from '../../domain/platform/access.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import type { permissionKeys } from '../../domain/staff.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { formatsOf, type Banner, type Formats, type Html } from './html.ts';
import type { Words } from './english-words.ts';
import type { Language } from './words.ts';

/** The operator's page: `/ops` and all below it. */
export const opsPrefix = '/ops';

type Permission = (typeof permissionKeys)[number];

/** Who may open a page: an administrator by a resource, a member of the staff by one of these permissions. */
export interface Right {
  acl: string;
  /** Empty: administrators alone. */
  staff: readonly Permission[];
}

/** A signed-in person. */
export interface Person extends Decider {
  userKind: 'admin' | 'staff';
  userId: number;
  /** The shops that the person sees; null: all. */
  locationIds: readonly number[] | null;
  may(right: Right): boolean;
}

/** One of these opens the operator's page to a member of the staff. */
export const opensThePage = ['issue_refunds', 'approve_rma'] as const;

/** The resource of an administrator that opens every page which a member of the staff can open. */
export const opensStaffPages = 'Vendor_Pos::locations';

export const hasPermission = (permissions: string | null, requested: readonly string[]): boolean => {
  const held: unknown = JSON.parse(permissions ?? '{}');
  return typeof held === 'object' && held !== null && requested.some((key) => Reflect.get(held, key) === true);
};

/** Undefined: the role opens nothing here any more. */
export function personOf(session: OpsSessionRow): Person | undefined {
  const { userKind, userId, name, email, resources, permissions, locationIds } = session;
  const isAdmin = userKind === 'admin';
  if (!isAdmin && !hasPermission(permissions, opensThePage)) return undefined;
  return {
    ...{ userKind, userId, name, email, locationIds, account: identityOf({ userKind, userId }) },
    staffId: isAdmin ? undefined : userId,
    may: ({ acl, staff }) => (isAdmin ? grants(resources ?? [], acl) : hasPermission(permissions, staff)),
  };
}

/** What a page is given. */
export interface Visit {
  parts: ApiParts;
  em: EntityManager;
  person: Person;
  /** Of the session, for its forms. */
  csrf: string;
  lang: Language;
  w: Words;
  f: Formats;
  /** The browser's, within the language. */
  locale: string;
  /** Of the shop that the page is about; else of the default website. All times of the page are in it. */
  timeZone: string;
  now: Date;
  requestId: string;
  incoming: IncomingMessage;
  clientAddress: string;
  /** By the names in the page's path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Of the form that was sent; every field is empty for a page that is only read. */
  field: (name: string) => string;
}

/** The visit in the time of another zone. */
export const visitIn = (visit: Visit, timeZone: string): Visit => ({
  ...visit,
  timeZone,
  f: formatsOf(visit.locale, timeZone),
});

/** A page, a file, or the way to another page. */
export type PageAnswer =
  | { title: string; body: readonly Html[]; banners?: readonly Banner[]; status?: number; timeZone?: string }
  | { to: string }
  | { file: string; type: string; name: string };

export interface OpsPage {
  method: 'GET' | 'POST';
  /** Below `/ops`, with `:name` for variables. */
  path: string;
  right: Right;
  /** In the menu, under this name; absent: reached from another page. */
  menu?: (w: Words) => string;
  /** Shown beside the name. */
  count?: (visit: Pick<Visit, 'em' | 'person'>) => Promise<number>;
  handle: (visit: Visit) => Promise<PageAnswer>;
}

/**
 * What a person wrote into a field that has to be filled in. Refused with 400: nothing, in the words of `missing`; a
 * card number.
 */
export function textIn(visit: Pick<Visit, 'field'>, name: string, missing: string): string {
  const text = visit.field(name).trim();
  if (text === '') throw invalid(missing);
  refuseCardData(text);
  return text;
}

export const reasonIn = (visit: Visit): string => textIn(visit, 'reason', visit.w.reasonMissing);
