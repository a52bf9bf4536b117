import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Staff } from '../../db/staff/staff.entity.ts';
import { bigText, definite } from '../../db/support/entity-columns.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { statement } from '../../db/support/statement.ts';
import { grantLicense, licenseTokenPurpose } from '../../db/terminals/licenses.ts';
import { saveTerminal } from '../../db/terminals/save-terminal.ts';
import { License, Terminal } from '../../db/terminals/terminal.entity.ts';

const carla = {
  name: 'Carla Cruz',
  email: 'carla@demo.example',
  passcode: '135790',
  role: 'Cashier',
  locations: ['high-street'],
} as const;

/**
 * Every code, passcode, password and e-mail of the demo shop. The demo and the seed read them here, and a test
 * compares the README's table with them.
 *
 * They are public: use them only for a trial on your own machine.
 */
export const credentials = {
  /** The location of the demo's day, and the PRO license that its registers share. */
  location: { locationId: 1, code: 'high-street' },
  licenseId: 1,
  admin: {
    username: 'demo-admin',
    email: 'admin@demo.example',
    password: 'Paper-Lantern-7',
  },
  cashier: carla,
  staff: [
    carla,
    {
      name: 'Ravi Rao',
      email: 'ravi@demo.example',
      passcode: '246801',
      role: 'Cashier',
      locations: ['riverside'],
    },
    {
      name: 'Jonas Jung',
      email: 'jonas@demo.example',
      passcode: '975310',
      role: 'Cashier',
      locations: ['altstadt'],
    },
    {
      name: 'Mona Meyer',
      email: 'mona@demo.example',
      passcode: '864209',
      role: 'Manager',
      locations: 'all',
    },
  ],
  /**
   * Each code can be used once; `npm run pos -- terminal code ID` makes another. The license simulator knows the keys.
   */
  terminals: [
    { name: 'High Street 1', activationCode: 'HIGHST01', licenseKey: 'demo-pro-highst01', location: 'high-street' },
    { name: 'High Street 2', activationCode: 'HIGHST02', licenseKey: 'demo-pro-highst02', location: 'high-street' },
    { name: 'Riverside 1', activationCode: 'RIVERS01', licenseKey: 'demo-pro-rivers01', location: 'riverside' },
    { name: 'Riverside 2', activationCode: 'RIVERS02', licenseKey: 'demo-pro-rivers02', location: 'riverside' },
    { name: 'Altstadt 1', activationCode: 'ALTSTD01', licenseKey: 'demo-pro-altstd01', location: 'altstadt' },
    { name: 'Altstadt 2', activationCode: 'ALTSTD02', licenseKey: 'demo-pro-altstd02', location: 'altstadt' },
  ],
  /** On website `base`; anyone who knows the code may spend it. */
  giftCard: { code: 'DEMO-GIFT-50', amount: '50' },
  /** Grace's points, worth a cent each. */
  points: 1_500,
  customers: [
    { name: 'Grace Green', email: 'grace@demo.example', password: 'Grace-Shops-1', group: 'General', store: 'default' },
    {
      name: 'Walter White',
      email: 'walter@demo.example',
      password: 'Walter-Buys-2',
      group: 'Wholesale',
      store: 'default',
    },
    { name: 'Chloé Côté', email: 'chloe@demo.example', password: 'Chloe-Shops-3', group: 'General', store: 'ca' },
    { name: 'Dora Dorn', email: 'dora@demo.example', password: 'Dora-Kauft-4', group: 'General', store: 'eu_de' },
    {
      name: 'Gustav Groß',
      email: 'gustav@demo.example',
      password: 'Gustav-Kauft-5',
      group: 'Wholesale',
      store: 'eu_de',
    },
  ],
} as const;

/** Moves a table's sequence past the ids that the demo shop chose itself. */
export const goOnAfter = (table: string, idColumn: string) =>
  statement({
    takes: {},
    gives: { setval: definite(bigText) },
    text: `select setval(pg_get_serial_sequence('${table}', '${idColumn}'), (select max(${idColumn}) from ${table}))`,
  });

type Secret =
  | typeof credentials.admin.password
  | (typeof credentials.staff)[number]['passcode']
  | (typeof credentials.customers)[number]['password'];

/**
 * The bcrypt hash of each password and passcode of the demo shop. Ten hashes take 1.4 s of processor at every first
 * start, and protect nothing here: `credentials` is public.
 */
export const passwordHashes: Readonly<Record<Secret, string>> = {
  'Paper-Lantern-7': '$2b$10$ElL7OeSrQ1JXHdrkAGSB.eivdo5zZr/XwV.U8otcZ3l4cCRpJu3pa',
  '135790': '$2b$10$PW5uVbqJnE310.pj9mHqBuQ/4rEK90.aX2v1ErCqEN.IfZ/vnSCRa',
  '246801': '$2b$10$6wHvqQgBp2vwNAHmMztObOI7gO5YTVAaPG1MHSNkqQAaoKESjJwXq',
  '975310': '$2b$10$FBTlhZZ/9elVsDFA69t.7eneQzc3Ihda7VhMkhVh4wb3kaK/uVZFe',
  '864209': '$2b$10$wPt9W1xQG6jq/FPZy3nVG.0bx3X0csKvw4PadM35LAZF1Uo9yKjbW',
  'Grace-Shops-1': '$2b$10$d3RBQBfwoymvDQyuwoidnOQK7KOJm3QQ.3C7KvKWlJE6GgkF21s1O',
  'Walter-Buys-2': '$2b$10$x8CRVHGUisI95wzn6e73eeiLfNisi3vCrUpvTrsHnb7rxtFjBOE3q',
  'Chloe-Shops-3': '$2b$10$S7DrB1/t2NtBQhE/wtYcsOitXbWVDRF05uJMTk9QPCWFtl2pPQH.W',
  'Dora-Kauft-4': '$2b$10$jv/BwZAgrDNhBtxMzLMBy.r/PXuMtHsdY7ZeA7mcERxWmV1ahG07G',
  'Gustav-Kauft-5': '$2b$10$.BRomJhfaYv4pca0lywCDuGXH78X5FTn86ldJCDYB6gqzu.b7jSZC',
};

/** What no file says of the people and registers of the shop: passcodes, unused activation codes and PRO licenses. */
export async function seedTeam(em: EntityManager, secrets: SecretBox): Promise<void> {
  for (const { email, passcode } of credentials.staff)
    await em.nativeUpdate(Staff, { email }, { passcodeHash: passwordHashes[passcode] });
  await seedLicense(em, secrets);
  for (const { name, activationCode, licenseKey } of credentials.terminals) {
    const { terminalId, licenseId } = await em.findOneOrFail(Terminal, { name });
    if (licenseId) continue;
    await saveTerminal(em, terminalId, { activationCode });
    await grantLicense(em, secrets, { terminalId, type: 'pro', licenseKey });
  }
}

/** A license that no register uses yet: an administrator can link it. */
async function seedLicense(em: EntityManager, secrets: SecretBox): Promise<void> {
  const { licenseId } = credentials;
  const sealedToken = secrets.seal(randomBytes(32).toString('hex'), licenseTokenPurpose);
  const license = { licenseId, type: 'pro', status: 'active', sealedToken } as const;
  await em.upsert(License, license, { onConflictFields: ['licenseId'], onConflictAction: 'ignore' });
  await goOnLicenses.run(em);
}

const goOnLicenses = goOnAfter('pos_license', 'license_id');
