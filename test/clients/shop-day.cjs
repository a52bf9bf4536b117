// A day of an integrator in JavaScript: magento-api-rest, unchanged, with signed requests (OAuth 1.0a).
const MagentoRestApi = require('magento-api-rest').default;

const client = new MagentoRestApi({
  url: process.env.CLIENT_URL,
  consumerKey: process.env.CLIENT_CONSUMER_KEY,
  consumerSecret: process.env.CLIENT_CONSUMER_SECRET,
  accessToken: process.env.CLIENT_ACCESS_TOKEN,
  tokenSecret: process.env.CLIENT_ACCESS_TOKEN_SECRET,
  sha: 256,
});
const sale = JSON.parse(process.env.CLIENT_SALE).entity;

function told(what, holds = true) {
  console.log(`${holds ? '  ok   ' : '  FAIL '}${what}`);
  if (!holds) process.exit(1);
}

async function main() {
  const page = await client.get('products', { $perPage: 5, $page: 2 });
  told('products, a page at a time', page.data.items.length === 5 && page.data.total_count > 100);
  told('one product', (await client.get('products/MUG-WHITE')).data.sku === 'MUG-WHITE');
  const missing = await client.get('products/NO-SUCH-PRODUCT').catch((error) => error.response.status);
  told('a product that is not there is 404', missing === 404);
  told('store views', (await client.get('store/storeViews')).data.length > 1);
  told('customers', (await client.get('customers/search', { $perPage: 3 })).data.items.length > 0);

  const sku = 'JS-1';
  const made = await client.post('products', { product: { sku, name: 'JavaScript', price: 3, attribute_set_id: 4 } });
  told('a product is saved', made.data.id > 0);
  const changed = await client.put(`products/${sku}`, { product: { price: 4 } });
  told('a product is changed', changed.data.price === 4);
  told('a product is deleted', (await client.delete(`products/${sku}`)).data === true);

  const { data: order } = await client.post('orders', {
    entity: { ...sale, ext_order_id: `javascript-${Date.now()}` },
  });
  told('a sale is placed', order.status === 'pending');
  const id = order.entity_id;
  told('it is paid', Number((await client.post(`order/${id}/invoice`, { capture: true })).data) > 0);
  told('it is handed over', Number((await client.post(`order/${id}/ship`, {})).data) > 0);
  const items = [{ order_item_id: order.items[0].item_id, qty: 1 }];
  told('it is refunded', Number((await client.post(`order/${id}/refund`, { items })).data) > 0);
  told('the order is closed', (await client.get(`orders/${id}`)).data.status === 'closed');
}

main().catch((error) => {
  console.error(error.response ? `${error.response.status} ${JSON.stringify(error.response.data)}` : error);
  process.exit(1);
});
