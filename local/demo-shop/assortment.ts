/** The goods of the demo shop: families of simple products that differ in colour or kind and a little in price. */
export interface Family {
  /** The beginning of the sku of each of its products. */
  code: string;
  name: string;
  /** The price of the first variant; each further one costs half a unit more. */
  price: string;
  category: string;
  weight: string;
  variants: readonly string[];
}

const colours = ['White', 'Black', 'Red', 'Blue', 'Green', 'Yellow', 'Grey', 'Orange', 'Violet', 'Brown'];
const scents = ['Cedar', 'Lavender', 'Vanilla', 'Citrus', 'Rose', 'Sandalwood', 'Mint', 'Fig', 'Linen', 'Amber'];
const teas = ['Assam', 'Darjeeling', 'Earl Grey', 'Sencha', 'Jasmine', 'Oolong', 'Rooibos', 'Chai', 'Ceylon', 'Matcha'];
const coffees = [
  'Brazil',
  'Colombia',
  'Ethiopia',
  'Kenya',
  'Peru',
  'Java',
  'Sumatra',
  'Guatemala',
  'Honduras',
  'Decaf',
];
const subjects = ['Lighthouse', 'Harbour', 'Mountain', 'Forest', 'Fox', 'Owl', 'Bicycle', 'Market', 'Bridge', 'Moon'];

/** Category ids as on the platform: 2 is the root, which needs no product. */
export const categories = { tableware: '3', home: '4', pantry: '5', stationery: '6', clothing: '7', services: '8' };

export const families: readonly Family[] = [
  { code: 'MUG', name: 'Mug', price: '12', category: categories.tableware, weight: '0.35', variants: colours },
  { code: 'PLATE', name: 'Plate', price: '14', category: categories.tableware, weight: '0.6', variants: colours },
  { code: 'BOWL', name: 'Bowl', price: '11', category: categories.tableware, weight: '0.4', variants: colours },
  { code: 'GLASS', name: 'Glass', price: '8', category: categories.tableware, weight: '0.25', variants: colours },
  { code: 'TOWEL', name: 'Tea towel', price: '9', category: categories.home, weight: '0.1', variants: colours },
  { code: 'CUSHION', name: 'Cushion', price: '24', category: categories.home, weight: '0.5', variants: colours },
  { code: 'CANDLE', name: 'Candle', price: '16', category: categories.home, weight: '0.3', variants: scents },
  { code: 'SOAP', name: 'Soap', price: '6', category: categories.home, weight: '0.12', variants: scents },
  { code: 'TEA', name: 'Tea', price: '7', category: categories.pantry, weight: '0.1', variants: teas },
  { code: 'COFFEE', name: 'Coffee', price: '13', category: categories.pantry, weight: '0.25', variants: coffees },
  {
    code: 'CARD',
    name: 'Greeting card',
    price: '3',
    category: categories.stationery,
    weight: '0.02',
    variants: subjects,
  },
  { code: 'POSTER', name: 'Poster', price: '18', category: categories.stationery, weight: '0.2', variants: subjects },
  {
    code: 'NOTEBOOK',
    name: 'Notebook',
    price: '10',
    category: categories.stationery,
    weight: '0.3',
    variants: colours,
  },
  { code: 'PEN', name: 'Pen', price: '4', category: categories.stationery, weight: '0.02', variants: colours },
  { code: 'SCARF', name: 'Scarf', price: '29', category: categories.clothing, weight: '0.2', variants: colours },
];

/** The shirt that comes in sizes and colours: option ids as the platform numbers attribute options. */
export const shirt = {
  sku: 'SHIRT',
  name: 'Lantern T-shirt',
  price: '25',
  sizes: [
    { label: 'S', optionId: 101 },
    { label: 'M', optionId: 102 },
    { label: 'L', optionId: 103 },
  ],
  colours: [
    { label: 'Black', optionId: 201 },
    { label: 'White', optionId: 202 },
  ],
} as const;

/** Fixed taxes per lamp, before tax, in each website's base currency: country-wide, and for one region instead. */
export const ecoFees = [
  { countryId: 'US', regionId: 0, value: '2.50' },
  { countryId: 'US', regionId: 12, value: '4.00' },
  { countryId: 'CA', regionId: 0, value: '1.20' },
  { countryId: 'DE', regionId: 0, value: '0.89' },
] as const;
