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
