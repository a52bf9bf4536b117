import { Argument, Command, Option } from 'commander';
import { explainOrder } from '../books/explain/explain-order.ts';
import { explainRefund, explainReturn } from '../books/explain/explain-refund.ts';
import { renderStory } from '../books/explain/render-story.ts';
import { giveUpHeldSpending } from '../db/credits/give-up-held-spending.ts';
import { concludeRestore, recordHome } from '../db/installation/installation-home.ts';
import { createIntegrationToken } from '../db/platform/access/create-signed-integration.ts';
import { integrationNamed } from '../db/platform/access/token-life.ts';
import { revokeTokens } from '../db/platform/access/revoke-tokens.ts';
import { merchantReference } from '../db/refunds/merchant-reference.ts';
import { findRefundAttempt, type RefundAttemptRecord } from '../db/refunds/refund-attempt.repository.ts';
import { grantLicense } from '../db/terminals/licenses.ts';
import { forgetWorkflows, markRestored } from '../db/verdicts/mark-restored.ts';
import { invalid } from '../domain/errors.ts';
import { isDecided } from '../domain/refunds/refund-finding.ts';
import { reconcileUpdate } from '../workflows/refunds/messages.ts';
import { addPoints } from './add-points.ts';
import { createGiftCard } from './create-gift-card.ts';
import { extendGiftCard } from './extend-gift-card.ts';
import { createIntegration } from './create-integration.ts';
import { eraseCustomerData, eraseGuestData, exportCustomer, exportGuest } from './customer-data.ts';
import { addEventCommands } from './events.ts';
import { listTokens, rotateIntegration, rotateToken, type RotateOptions } from './list-tokens.ts';
import { loadPrices } from './load-prices.ts';
import type { ProgramParts } from './program-parts.ts';
import { receiptDifferences } from './receipt-differences.ts';
import { receiptsWithoutOrder } from './receipts-without-order.ts';
import { resolveRefund } from './resolve-refund.ts';
import { addServerCommands } from './server-commands.ts';
import { addSettingsCommands } from './settings-commands.ts';
import { addShopCommands } from './shop-commands.ts';
import {
  canLookUp,
  decideAttempt,
  fine,
  operator,
  resourcesOf,
  rowId,
  type Answer,
  type CommandContext,
} from './support.ts';
import { terminalNamed } from './support/staff-named.ts';
import { uncertainRefunds } from './uncertain-refunds.ts';
import { verifyBooks } from './verify-books.ts';

/**
 * `token create`: a bearer token for an integration. Shown once; the database keeps its digest.
 *
 * A repeat with the same name sets the resources again and gives one more token.
 *
 * Refused with 400 when a resource is not written as `Vendor_Pos::locations` or no route asks for it, or without a
 * name.
 */
export async function createToken(
  { em }: CommandContext,
  { name, acl }: { name: string; acl: string },
): Promise<Answer> {
  if (name.trim() === '') throw invalid('An integration needs a name.');
  const resources = resourcesOf(acl);
  const { integrationId, token } = await createIntegrationToken(await em(), { name, resources });
  return fine(token, { integration_id: integrationId, name, resources, token });
}

const explanations = { order: explainOrder, return: explainReturn, refund: explainRefund };
type Explained = keyof typeof explanations;
const explained: readonly string[] = Object.keys(explanations);

/**
 * `explain order|return|refund ID`: the story of an order, return or refund, in order and in plain words.
 *
 * Refused with 404 for an unknown id or number.
 */
export async function explainMoney({ em, settings }: CommandContext, kind: Explained, id: string): Promise<Answer> {
  const manager = await em();
  const story = await explanations[kind](manager, id, {
    canLookUp: (payment) => canLookUp(manager, payment, settings),
  });
  return fine(renderStory(story), story);
}

/**
 * `license grant --terminal ID|NAME --type pro|none [--key KEY]`: gives a terminal its license, or takes it away. With
 * a key it is the license the license service knows by it, which is asked from then on. The same again changes nothing.
 * The audit trail names who did it.
 *
 * Refused with 400 for another type, an invalid key, or a key with `none`; 404 for an unknown terminal.
 */
export async function giveLicense(
  { em, secrets }: CommandContext,
  { terminal, type, key }: { terminal: string; type: string; key?: string },
): Promise<Answer> {
  if (type !== 'pro' && type !== 'none') throw invalid('A license is "pro" or "none", not "%1".', [type]);
  if (type === 'none' && key !== undefined) throw invalid('A key is for a license that is given: leave --key out.');
  const connected = await em();
  const terminalId = await terminalNamed(connected, terminal);
  await grantLicense(connected.fork(), secrets(), { terminalId, type, licenseKey: key, by: operator() });
  const text =
    type === 'none' ? `Terminal ${terminalId} has no license now.` : `Terminal ${terminalId} has a PRO license.`;
  return fine(text, { terminal_id: terminalId, type });
}

/**
 * `restored give-back ID`: no order has this held spending, so the next sweep asks its provider to give the credit
 * back. Refused with 400 for a spending that is not held, or that an order has.
 */
async function giveBackSpending({ em }: CommandContext, id: string): Promise<Answer> {
  const spendingId = rowId(id, 'spending');
  if (!(await giveUpHeldSpending(await em(), spendingId)))
    throw invalid('Spending %1 is not held, or an order has it.', [String(spendingId)]);
  return fine(`The provider of spending ${spendingId} gives the credit back within minutes.`, {
    spending_id: spendingId,
  });
}

/**
 * `restored mark`: the database is an older state of itself, or a copy. Everything under way becomes uncertain. See
 * `markRestored`; `docs/operators/restore.md` describes the steps before and after.
 */
async function markBooksRestored({ em }: CommandContext): Promise<Answer> {
  const restored = await markRestored(await em());
  const { generation, attemptIds, spendingIds, droppedMails, pausedEndpoints } = restored;
  const text = [
    `This is generation ${generation} of the installation: outside names start again.`,
    countOf(attemptIds, 'refund is uncertain now', 'refunds are uncertain now', 'npm run pos -- refunds uncertain'),
    countOf(
      spendingIds,
      'spending of credit is held',
      'spendings of credit are held',
      'send their orders again, or npm run pos -- restored give-back ID',
    ),
    `${droppedMails} mails to customers are not sent.`,
    `${pausedEndpoints} webhook endpoints are paused: npm run pos -- events endpoints`,
    'From now on a gateway is asked before each refund what it gave back of the payment.',
    'When the books are complete again: npm run pos -- restored over',
  ].join('\n');
  return fine(text, restored);
}

const countOf = (ids: readonly number[], one: string, many: string, wayOn: string): string =>
  ids.length === 0 ? `No ${many}.` : `${ids.length} ${ids.length === 1 ? one : many} (${ids.join(', ')}): ${wayOn}`;

/**
 * `refunds reconcile ID`: asks the gateway again about a refund and books its answer (spec 3.3). Where the gateway
 * keeps no records, it says so and how to continue.
 */
export async function reconcileRefund(context: CommandContext, id: string): Promise<Answer> {
  const attemptId = rowId(id, 'refund-attempt');
  const em = await context.em();
  const attempt = await findRefundAttempt(em, attemptId);
  if (!isDecided(attempt.state) && !(await canLookUp(em, attempt, context.settings)))
    return fine(byHand(attempt), attempt);
  return decideAttempt(context, { attemptId, update: reconcileUpdate, request: null, looksAgain: true });
}

const byHand = (attempt: RefundAttemptRecord) =>
  `The gateway of attempt ${attempt.attemptId} cannot be asked. Look for ${merchantReference(attempt)} in its portal, then: ` +
  `npm run pos -- refunds resolve ${attempt.attemptId} refunded|not_refunded --staff NAME --note TEXT`;

/**
 * `token revoke`: ends every token of an integration at once, including those for signing. A repeat ends none.
 *
 * @param input the integration's name, or its id
 *
 * Refused with 404 when there is no such integration.
 */
export async function revokeToken({ em: connect, now }: CommandContext, input: string): Promise<Answer> {
  const em = await connect();
  const { integrationId, name } = await integrationNamed(em, input);
  await revokeTokens(em, { userType: 'integration', userId: integrationId, now: now() });
  return fine(`Every token of ${name} is revoked.`, { integration_id: integrationId, name, revoked: true });
}

/** `restored moved`: the database was moved, and nothing is missing. Workers start again. */
export async function recordMove({ em }: CommandContext): Promise<Answer> {
  const books = await em();
  await recordHome(books);
  // Temporal may not have moved with it.
  await forgetWorkflows(books.fork());
  return fine('The database belongs here now. Workers may start.', { moved: true });
}

/**
 * `restored over`: refunds since the backup are in the books again. Gateways are no longer asked before each refund.
 */
async function endRestore({ em }: CommandContext): Promise<Answer> {
  await concludeRestore(await em());
  return fine('Gateways are not asked before each refund any more.', { over: true });
}

/** Every command of the operator's tool; those of settings and of the shop's set-up stand in files of their own. */
export function createProgram({ answer }: ProgramParts): Command {
  const program = new Command('pos')
    .description('Commands for operators of the shop.')
    .option('--json', 'answer for scripts')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  const group = (name: string, summary: string) => program.command(name).description(summary);
  const overlap = new Option('--overlap <time>', 'such as 24h, 7d or 30m; 0 ends them at once').default('24h');
  const mayDo = 'what it may do: Vendor_Pos::locations,Vendor_Pos::receipts,… or register, or all';
  const onWebsite = new Option('--website <code>', 'for one website');

  program
    .command('doctor')
    .description('check every dependency and setting, one line each, with the fix')
    .action(() => answer(async (shop) => (await import('./doctor.ts')).doctor(shop)));
  program
    .command('verify')
    .description('check every rule of the books; exit code 1 when one is broken')
    .option('--keep', 'keep what it found for the page /ops: for a run each night')
    .action(({ keep = false }: { keep?: boolean }) => answer((shop) => verifyBooks(shop, { keep })));
  program
    .command('explain')
    .description('the story of an order, a return or a refund, in plain words')
    .addArgument(new Argument('<what>').choices(explained))
    .argument('<id>', 'an id, a number such as 000000042, or a workflow id')
    .action((what: Explained, id: string) => answer((shop) => explainMoney(shop, what, id)));

  const temporal = group('temporal', 'the Temporal server');
  temporal
    .command('use')
    .description('give the work to the workers of one build: the new one in a deployment, the one before it to go back')
    .argument('<build>', 'their TEMPORAL_BUILD_ID')
    .action((build: string) => answer(async (shop) => (await import('./set-up-temporal.ts')).useBuild(shop, build)));
  temporal
    .command('builds')
    .description('the builds that the server knows: which is current, and which has nothing left to do')
    .action(() => answer(async (shop) => (await import('./set-up-temporal.ts')).listBuilds(shop)));
  temporal
    .command('move')
    .description('let what a build began go on with the current one, where no worker of it can be started any more')
    .argument('<build>', 'the one whose workers are gone')
    .action((build: string) => answer(async (shop) => (await import('./set-up-temporal.ts')).moveFrom(shop, build)));
  temporal
    .command('forget')
    .description('remove a build that has nothing left to do: the server keeps a limited number of them')
    .argument('<build>', 'an old one, without workers')
    .action((build: string) => answer(async (shop) => (await import('./set-up-temporal.ts')).forgetBuild(shop, build)));
  temporal
    .command('set-up')
    .description(
      'make what API and worker need on a server of your own: namespace, search attributes, 30 days of history',
    )
    .action(() => answer(async (shop) => (await import('./set-up-temporal.ts')).setUpTemporal(shop)));

  const token = group('token', 'tokens of integrations, such as registers');
  token
    .command('create')
    .description('make a token and show it once')
    .requiredOption('--name <name>', 'the integration')
    .requiredOption('--acl <resources>', mayDo)
    .action((options: { name: string; acl: string }) => answer((shop) => createToken(shop, options)));
  token
    .command('list')
    .description('integrations, their resources, their valid tokens: since when, last use, end')
    .action(() => answer(listTokens));
  token
    .command('rotate <name-or-id>')
    .description('one more token, shown once; those that are there end after the overlap')
    .addOption(overlap)
    .action((input: string, options: RotateOptions) => answer((shop) => rotateToken(shop, input, options)));
  token
    .command('revoke <name-or-id>')
    .description('end every token of an integration at once, including those for signing')
    .action((input: string) => answer((shop) => revokeToken(shop, input)));

  const integration = group(
    'integration',
    'systems that sign their requests, as clients of the platform do (OAuth 1.0a)',
  );
  integration
    .command('create')
    .description('make the four values to sign with and show them once')
    .requiredOption('--name <name>', 'the integration')
    .requiredOption('--acl <resources>', mayDo)
    .action((options: { name: string; acl: string }) => answer((shop) => createIntegration(shop, options)));
  integration
    .command('rotate <name-or-id>')
    .description('four more values, shown once; those that are there end after the overlap')
    .addOption(overlap)
    .action((input: string, options: RotateOptions) => answer((shop) => rotateIntegration(shop, input, options)));

  const refunds = group('refunds', 'refunds through gateways');
  refunds
    .command('uncertain')
    .description('refunds without a known end, oldest first')
    .action(() => answer(uncertainRefunds));
  refunds
    .command('reconcile <id>')
    .description('ask the gateway again')
    .action((id: string) => answer((shop) => reconcileRefund(shop, id)));
  refunds
    .command('resolve <id>')
    .argument('<resolution>', 'refunded or not_refunded')
    .description('record whether the money went back')
    .requiredOption('--staff <name>', 'who says so')
    .requiredOption('--note <text>', 'how you know')
    .action((id: string, resolution: string, options: { staff: string; note: string }) =>
      answer((shop) => resolveRefund(shop, id, resolution, options)),
    );

  const receipts = group('receipts', 'receipts of registers');
  receipts
    .command('without-order')
    .description('sales that have a receipt and no order, oldest first')
    .action(() => answer(receiptsWithoutOrder));
  receipts
    .command('differences')
    .description('sales whose receipt and order have different totals, and totals finer than a coin, newest first')
    .option('--days <number>', 'of so many days; 30 unless given')
    .action((options: { days?: string }) => answer((shop) => receiptDifferences(shop, options)));

  const restored = group('restored', 'after the database was restored, copied or moved; with the worker stopped');
  restored
    .command('mark')
    .description('from an older backup, or a copy: nothing that was under way is sent from it')
    .action(() => answer(markBooksRestored));
  restored
    .command('moved')
    .description('moved as a whole: nothing is missing')
    .action(() => answer(recordMove));
  restored
    .command('give-back <spending>')
    .description('no order has a held spending: its provider gives the credit back')
    .action((id: string) => answer((shop) => giveBackSpending(shop, id)));
  restored
    .command('over')
    .description('the books are complete again: gateways are no longer asked before each refund')
    .action(() => answer(endRestore));

  addEventCommands(program, { answer });
  addShopCommands(program, { answer });
  addSettingsCommands(program, { answer });
  addServerCommands(program, { answer });

  group('license', 'licenses of registers')
    .command('grant')
    .description('give a register a license, or take it away')
    .requiredOption('--terminal <id-or-name>', 'the register')
    .requiredOption('--type <type>', 'pro or none')
    .option('--key <key>', 'the key of the license at the license service')
    .action((options: { terminal: string; type: string; key?: string }) =>
      answer((shop) => giveLicense(shop, options)),
    );
  const customer = group('customer', 'what the shop knows about a customer');
  customer
    .command('export <email-or-id>')
    .description('all of it as JSON, without secrets')
    .action((who: string) => answer((shop) => exportCustomer(shop, who)));
  customer
    .command('erase <email-or-id>')
    .description('names, addresses and contacts go; orders and receipts stay. It cannot be undone')
    .action((who: string) => answer((shop) => eraseCustomerData(shop, who)));
  const guest = group('guest', 'what the shop knows about a person without an account');
  guest
    .command('export <email-or-telephone>')
    .description('all of it as JSON, without secrets')
    .action((who: string) => answer((shop) => exportGuest(shop, who)));
  guest
    .command('erase <email-or-telephone>')
    .description('names, addresses and contacts go; orders and receipts stay. It cannot be undone; safe to repeat')
    .option('--dry-run', 'only say what would go, and what is in the way; exit code 1 where something is')
    .action((who: string, options: { dryRun?: boolean }) => answer((shop) => eraseGuestData(shop, who, options)));
  const giftcard = group('giftcard', 'gift cards');
  giftcard
    .command('extend <code>')
    .description('move the last day of a gift card to a later one; an expired card is valid again')
    .requiredOption('--expires <day>', 'the last day it is valid, such as 2030-12-31')
    .action((code: string, { expires }: { expires: string }) =>
      answer((shop) => extendGiftCard(shop, { code, expires })),
    );
  giftcard
    .command('create')
    .description('issue a gift card; without a code one is made and shown once')
    .requiredOption('--amount <amount>', 'in the base currency of the website')
    .option('--code <code>', 'at most 64 characters')
    .addOption(onWebsite)
    .option('--expires <day>', 'the last day it is valid, such as 2030-12-31')
    .action((options: Parameters<typeof createGiftCard>[1]) => answer((shop) => createGiftCard(shop, options)));
  group('points', 'reward points')
    .command('add')
    .description('give a customer points; below zero, take some away')
    .requiredOption('--customer <id>', 'the customer')
    .requiredOption('--points <number>', 'a whole number')
    .addOption(onWebsite)
    .option('--reason <text>', 'for the history')
    .action((options: Parameters<typeof addPoints>[1]) => answer((shop) => addPoints(shop, options)));
  group('prices', 'contract prices of customers')
    .command('load <file>')
    .description('load a CSV file with the columns customer, sku, qty and price, all or nothing')
    .addOption(onWebsite)
    .option('--replace', 'delete other contract prices of the customers in the file')
    .action((file: string, options: Parameters<typeof loadPrices>[2]) =>
      answer((shop) => loadPrices(shop, file, options)),
    );
  return program;
}
