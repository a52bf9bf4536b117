import { expect, test } from '@jest/globals';
import { withoutNames } from '../../../domain/customers.ts';

const read = (text: string, isAboutPerson?: boolean) =>
  JSON.parse(withoutNames(text, isAboutPerson) ?? 'null') as unknown;

test('a document loses the person and keeps the goods and the figures', () => {
  const document = {
    customer_name: 'Ada Lovelace',
    header: { customer_name: 'Ada', staff_name: 'Carla', created_at: '2026-11-20' },
    items: [{ name: 'Mug', qty: 2, price: 12 }],
    customer: { name: 'Ada', email: 'ada@shop.example', country: 'GB' },
    shipping_address: { firstname: 'Ada', street: ['1 Road'], city: 'London', postcode: 'N1', country_id: 'GB' },
    totals: { grand_total: 24 },
  };
  expect(read(JSON.stringify(document))).toEqual({
    customer_name: null,
    header: { customer_name: null, staff_name: 'Carla', created_at: '2026-11-20' },
    items: [{ name: 'Mug', qty: 2, price: 12 }],
    customer: { name: null, email: null, country: 'GB' },
    shipping_address: { firstname: null, street: null, city: null, postcode: null, country_id: 'GB' },
    totals: { grand_total: 24 },
  });
});

test('of a shipment the goods keep their names', () => {
  const shipments = [
    { name: 'Ada', street: ['1 Road'], city: 'London', country: 'GB', items: [{ name: 'Mug', qty: 1 }] },
  ];
  expect(read(JSON.stringify(shipments), true)).toEqual([
    { name: null, street: null, city: null, country: 'GB', items: [{ name: 'Mug', qty: 1 }] },
  ]);
});

test('what cannot be read goes as a whole', () => {
  expect([withoutNames('Dear Ada,'), withoutNames(null)]).toEqual([null, null]);
});
