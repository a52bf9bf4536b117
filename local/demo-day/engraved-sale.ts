import type { OpenRegister } from './open-register.ts';
import { sell } from './sell.ts';
import type { Json, Teller } from './teller.ts';

/** A mug is sold with a name on it: the register asks for the options of the product and enters them on the line. */
export async function engravedSale(teller: Teller, register: OpenRegister): Promise<void> {
  teller.chapter('A mug with a name on it');
  const product = await teller.ask({
    method: 'GET',
    path: '/V1/products/MUG-NAMED',
    means: ({ name, options }) => `${name}: ${options.map(({ title }: Json) => title).join(' and ')} to be entered.`,
  });
  const [name, letters] = product.options;
  const gold = letters.values.find(({ title }: Json) => title === 'Gold');
  await sell(teller, {
    ...{ register, product, qty: 1, payment: 'cash' },
    price: product.price + name.price + gold.price,
    entered: {
      sku: [product.sku, name.sku, gold.sku].join('-'),
      options: [
        { option_id: String(name.option_id), option_value: 'Ada' },
        { option_id: String(letters.option_id), option_value: String(gold.option_type_id) },
      ],
    },
  });
}
