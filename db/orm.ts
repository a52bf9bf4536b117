import { MikroORM, type Options } from '@mikro-orm/postgresql';
import pg, { type Pool } from 'pg';
import { noSuchRecord } from '../domain/refusals/platform.ts';
import { AuditEntry, AuditLogCount } from './audit.ts';
import { ConfigVersion } from './configuration/config-version.entity.ts';
import { CreditRefund, CreditSpending, OrderCredit, OrderCreditReturn } from './credits/credit.entity.ts';
import { StoreCreditPromise } from './credits/store-credit-promise.entity.ts';
import { eventEntities } from './events/event.entity.ts';
import { GiftCard, GiftCardEntry } from './gift-cards/gift-card.entity.ts';
import { Installation } from './installation/installation.entity.ts';
import { Bulk, BulkOperation } from './bulk/bulk.entity.ts';
import {
  ContentItem,
  ContentPublication,
  ContentRenewal,
  ContentRevision,
  ContentSchedule,
  ContentVersion,
  ContentViewText,
} from './content/content.entity.ts';
import { CreditLimit } from './credit-limits/credit-limit.entity.ts';
import { HeldCart } from './held-carts/held-cart.entity.ts';
import { registerReportEntities } from './register-reports/register-report.entity.ts';
import { KeyedRequest } from './idempotency/keyed-request.entity.ts';
import { LayawayCancellation } from './layaways/layaway-cancellation.entity.ts';
import { Location } from './locations/location.entity.ts';
import { Mail } from './mails/mail.entity.ts';
import { DuePayment } from './orders/due-payment.entity.ts';
import { AccessToken, AdminUser, Integration, OAuthNonce, TokenThrottle } from './platform/access/access.entity.ts';
import {
  PasswordReset,
  CustomerGroup,
  Customer,
  CustomerAddress,
  RemovedCustomer,
} from './platform/customers/customer.entity.ts';
import { Subscriber } from './platform/newsletter/subscriber.entity.ts';
import { Quote, QuoteAddress, QuoteItem } from './platform/carts/quote.entity.ts';
import { Category } from './platform/categories/category.entity.ts';
import { CreditMemo, CreditMemoItem } from './platform/credit-memos/credit-memo.entity.ts';
import { Reservation, SourceItem, Source, Stock, StockSourceLink } from './platform/inventory/stock.entity.ts';
import { Invoice, InvoiceItem } from './platform/invoices/invoice.entity.ts';
import {
  DocumentComment,
  OrderComment,
  OrderItem,
  OrderPayment,
  OrderStatus,
  OrderStatusState,
  PaymentTransaction,
} from './platform/orders/order-parts.entity.ts';
import { MoneyIn, OrderAddress, Order } from './platform/orders/order.entity.ts';
import { salesRuleEntities } from './platform/sales-rules/sales-rule.entity.ts';
import { Shipment, ShipmentItem, ShipmentTrack } from './platform/shipments/shipment.entity.ts';
import { ConfigValue, StoreGroup, StoreView, Website } from './platform/stores/store.entity.ts';
import { taxEntities } from './platform/tax/tax.entity.ts';
import { movementEntities } from './movements/movement.entity.ts';
import { registerSessionEntities } from './register-sessions/register-session.entity.ts';
import { opsEntities } from './ops/ops.entity.ts';
import {
  CatalogRule,
  CatalogRuleDue,
  CatalogRuleIndex,
  CatalogRulePrice,
} from './platform/catalog-rules/catalog-rule.entity.ts';
import {
  AttributeGroup,
  AttributeInSet,
  AttributeSet,
  FeedVersion,
  FixedProductTax,
  ProductAttributeOption,
  ProductAttributeRow,
  ProductPicture,
  Product,
  UniqueValue,
} from './platform/catalog/product.entity.ts';
import { WishlistItem } from './platform/wishlists/wishlist-item.entity.ts';
import { ContractPrice } from './prices/contract-price.entity.ts';
import { ReturnTender } from './tenders/return-tender.entity.ts';
import { ReturnProcess, ReturnProcessItem } from './process/return-process.entity.ts';
import { LostLink, ReceiptCount, ReceiptLogo, ReceiptPdf, Receipt, ReceiptItem } from './receipts/receipt.entity.ts';
import { RefundAttempt } from './refunds/refund-attempt.entity.ts';
import {
  ReturnOperation,
  Return,
  ReturnComment,
  ReturnItem,
  StockMovement,
  SettlePayload,
} from './returns/return.entity.ts';
import { PointsAccount, PointsDue, PointsEntry, PointsOwed } from './reward-points/points-account.entity.ts';
import { OneTimeCode } from './self-checkout/one-time-code.entity.ts';
import { Role, StaffLoginFailure, StaffSession, Staff, StaffLocation } from './staff/staff.entity.ts';
import { Wallet, WalletEntry } from './store-credit/wallet.entity.ts';
import { GrowingCount, ListCount, RateLimit } from './support/counts.entity.ts';
import { License, TerminalHeartbeat, TerminalSoftware, Terminal } from './terminals/terminal.entity.ts';
import { connectionOptions, patientLimits, guardPool, type DatabaseLimits } from './support/connections/guard-pool.ts';
import { migrationOptions } from './support/migration-options.ts';
import { readBigintAsNumber } from './support/connections/read-bigint.ts';
import { nameStatements } from './support/name-statements.ts';
import { TelemetryBatch, TelemetryEvent, TelemetrySummary } from './telemetry/telemetry-event.entity.ts';

readBigintAsNumber();

/** Tables of the catalog, its prices, contract prices and wish lists. */
const catalogEntities = [
  Product,
  ProductPicture,
  ProductAttributeRow,
  ProductAttributeOption,
  AttributeSet,
  AttributeGroup,
  AttributeInSet,
  UniqueValue,
  FixedProductTax,
  FeedVersion,
  CatalogRule,
  CatalogRulePrice,
  CatalogRuleDue,
  CatalogRuleIndex,
  WishlistItem,
  CreditLimit,
] as const;

/** The tables of content. */
const contentEntities = [
  ContentItem,
  ContentVersion,
  ContentPublication,
  ContentViewText,
  ContentRenewal,
  ContentSchedule,
  ContentRevision,
];

/** The customers' part of the list of all tables. */
const customerEntities = [CustomerGroup, Customer, CustomerAddress, RemovedCustomer, ContractPrice];

/** The tables of telemetry. */
const telemetryEntities = [TelemetryEvent, TelemetryBatch, TelemetrySummary];

/** All entities of receipts. */
const receiptEntities = [Receipt, ReceiptItem, ReceiptCount, ReceiptLogo, ReceiptPdf, LostLink] as const;

/** Every table, listed by hand: an entity that is not here is not used. */
export const entities = [
  Installation,
  Website,
  StoreGroup,
  StoreView,
  ConfigValue,
  AdminUser,
  Integration,
  AccessToken,
  OAuthNonce,
  TokenThrottle,
  ...catalogEntities,
  Category,
  Source,
  Stock,
  StockSourceLink,
  SourceItem,
  Reservation,
  ...customerEntities,
  Subscriber,
  PasswordReset,
  OrderStatus,
  OrderStatusState,
  Order,
  OrderItem,
  OrderAddress,
  OrderPayment,
  OrderComment,
  PaymentTransaction,
  MoneyIn,
  DuePayment,
  DocumentComment,
  Invoice,
  InvoiceItem,
  Shipment,
  ShipmentItem,
  ShipmentTrack,
  ...salesRuleEntities,
  ...taxEntities,
  Quote,
  QuoteItem,
  QuoteAddress,
  CreditMemo,
  CreditMemoItem,
  KeyedRequest,
  LayawayCancellation,
  Location,
  ConfigVersion,
  License,
  Terminal,
  TerminalHeartbeat,
  TerminalSoftware,
  Role,
  Staff,
  StaffLocation,
  StaffSession,
  StaffLoginFailure,
  ...receiptEntities,
  RateLimit,
  Return,
  ReturnItem,
  ReturnComment,
  StockMovement,
  SettlePayload,
  ReturnOperation,
  RefundAttempt,
  ReturnTender,
  OneTimeCode,
  Mail,
  ReturnProcess,
  ReturnProcessItem,
  AuditEntry,
  GrowingCount,
  ListCount,
  AuditLogCount,
  HeldCart,
  ...registerReportEntities,
  Bulk,
  BulkOperation,
  ...telemetryEntities,
  Wallet,
  WalletEntry,
  OrderCredit,
  OrderCreditReturn,
  CreditSpending,
  GiftCard,
  GiftCardEntry,
  PointsAccount,
  PointsEntry,
  PointsDue,
  PointsOwed,
  CreditRefund,
  StoreCreditPromise,
  ...contentEntities,
  ...opsEntities,
  ...movementEntities,
  ...registerSessionEntities,
  ...eventEntities,
];

/**
 * At most ten connections per process (`DatabaseLimits`), so that a database with 240 serves all processes of a shop.
 */
export function ormOptions(url: string, limits: DatabaseLimits = patientLimits): Options {
  return {
    clientUrl: url,
    entities,
    forceUtcTimezone: true,
    pool: { min: 0, max: limits.connections },
    driverOptions: {
      ...connectionOptions(limits),
      ssl: tlsOf(url),
      onPoolCreated: (pool: Pool) => {
        guardPool(pool, limits);
        nameStatements(pool);
      },
    },
    findOneOrFailHandler: (entityName) => noSuchRecord({ entity: String(entityName) }),
    logger: () => undefined,
    migrations: migrationOptions,
  };
}

/**
 * TLS as the address asks for it (`?sslmode=verify-full&sslrootcert=/…`), read by the driver itself: of an address the
 * ORM takes only host, port, user and name, and would go on without TLS, silently. The driver hides the key of a client
 * certificate (`sslkey`) from whoever prints or copies its settings, and so does its pool; the ORM copies them on the
 * way there.
 */
function tlsOf(url: string) {
  const client = new pg.Client({ connectionString: url });
  const tls: unknown = client.ssl;
  return typeof tls === 'object' && tls !== null && 'key' in tls ? { ...tls, key: tls.key } : client.ssl;
}

/** Connects. An unknown id in `findOneOrFail` is a 404 refusal everywhere. Without limits the patient ones apply. */
export const createOrm = (url: string, limits?: DatabaseLimits): Promise<MikroORM> =>
  MikroORM.init(ormOptions(url, limits));
