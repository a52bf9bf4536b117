import type { Mutant } from './mutant.ts';

const use = 'db/self-checkout.ts';
const codes = ['test/api/customers/one-time-code.test.ts'];
const newsletter = ['test/api/customers/create-customer.test.ts'];

/** What a kiosk and a newsletter must not tell, and whom they must not let in. */
export const kioskMutants: readonly Mutant[] = [
  {
    id: 'O01',
    mistake: 'a stranger gets no code, so a guess tells who has an account',
    patches: [
      {
        file: 'api/customers/one-time-code-routes.ts',
        find: "import type { Bucket } from '../../db/support/rate-limit.ts';",
        replace: `import { findSummary } from '../../db/self-checkout.ts';
import type { Bucket } from '../../db/support/rate-limit.ts';`,
      },
      {
        file: 'api/customers/one-time-code-routes.ts',
        find: '    const mailId = await issueOneTimeCode(em, code);',
        replace: `    if (!(await findSummary(em, { websiteId: store.websiteId, email }))) return [];
    const mailId = await issueOneTimeCode(em, code);`,
      },
    ],
    killedBy: codes,
    named: 'stranger',
  },
  {
    id: 'O02',
    mistake: 'only customers are looked up on the way, which takes its time',
    patches: [
      {
        file: 'api/customers/one-time-code-routes.ts',
        find:
          '    if (!isOurs && !(await useOneTimeCode(em, { codeId, codeDigest: digest, consumerKey: operation.key ' +
          '})))',
        replace: `    const known = await findSummary(em, { websiteId, email });
    if (known) for (let more = 0; more < 8; more++) await findSummary(em, { websiteId, email });
    if (!isOurs && !(await useOneTimeCode(em, { codeId, codeDigest: digest, consumerKey: operation.key })))`,
      },
    ],
    killedBy: ['test/api/customers/one-time-code-oracle.test.ts'],
  },
  {
    id: 'O03',
    mistake: 'a code signs in as often as it is sent',
    patches: [
      { file: use, find: 'guesses < most_guesses and consumed_at is null and', replace: 'guesses < most_guesses and' },
    ],
    killedBy: codes,
  },
  {
    id: 'O04',
    mistake: 'a code works at any terminal',
    patches: [{ file: use, find: 'c.terminal_id = t.terminal_id and c.email_digest', replace: 'c.email_digest' }],
    killedBy: codes,
  },
  {
    id: 'O05',
    mistake: 'guesses are counted in the transaction that a refusal takes back',
    patches: [
      {
        file: 'api/customers/one-time-code-routes.ts',
        find: `,
  commits: 'several',
`,
        replace: `,
`,
      },
    ],
    killedBy: codes,
  },
  {
    id: 'O06',
    mistake: 'a dead code is mailed all the same',
    patches: [
      {
        file: 'db/mails/conclude-mail.ts',
        find: 'and (dies_at is null or dies_at > clock_timestamp())',
        replace: '',
      },
    ],
    killedBy: codes,
  },
  {
    id: 'O07',
    mistake: 'a new code leaves the one before good',
    patches: [
      {
        file: 'db/self-checkout.ts',
        find: '`delete from pos_one_time_code where email_digest = $emailDigest`',
        replace: '`update pos_one_time_code set email_digest = md5(random()::text) where email_digest = $emailDigest`',
      },
    ],
    killedBy: codes,
  },
  {
    id: 'O08',
    mistake: 'an account is taken off, or put on, the newsletter by anybody',
    patches: [
      {
        file: 'api/customers/newsletter-routes.ts',
        find: 'if (!isOwn && (await findAccountOfEmail',
        replace: 'if (!isOwn && Date.now() < 0 && (await findAccountOfEmail',
      },
    ],
    killedBy: newsletter,
  },
  {
    id: 'O09',
    mistake: 'a mail system that follows the link subscribes its customer',
    patches: [
      {
        file: 'api/customers/newsletter-page.ts',
        find: `if (query && ctx.method === 'POST') await`,
        replace: 'if (query) await',
      },
    ],
    killedBy: newsletter,
  },
  {
    id: 'O10',
    mistake: 'any link confirms',
    patches: [
      {
        file: 'api/customers/newsletter-page.ts',
        find: 'return request && isProofOf(box, request, proof) ? request : undefined;',
        replace: 'void isProofOf; void box; void proof; return request;',
      },
    ],
    killedBy: newsletter,
  },
];
