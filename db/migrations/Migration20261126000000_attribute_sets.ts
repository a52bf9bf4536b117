import { Migration } from '@mikro-orm/migrations';

/** The groups of the platform's own set: id, name, code, place, and the attributes of each in their order. */
const groups = [
  [7, 'Product Details', 'product-details', 10, 'status name sku price weight tax_class_id quantity_and_stock_status'],
  [
    8,
    'Advanced Pricing',
    'advanced-pricing',
    40,
    'special_price special_from_date special_to_date cost tier_price msrp',
  ],
  [
    9,
    'Search Engine Optimization',
    'search-engine-optimization',
    30,
    'url_key meta_title meta_keyword meta_description',
  ],
  [10, 'Images', 'image-management', 20, 'image small_image thumbnail swatch_image media_gallery'],
  [11, 'Design', 'design', 50, ''],
  [12, 'Autosettings', 'autosettings', 60, ''],
  [13, 'Content', 'content', 15, 'description short_description'],
  [14, 'Schedule Design Update', 'schedule-design-update', 55, ''],
  [19, 'Bundle Items', 'bundle-items', 16, ''],
  [20, 'Gift Options', 'gift-options', 61, 'gift_message_available'],
] as const;

const moreDetails = 'category_ids visibility news_from_date news_to_date country_of_manufacture manufacturer color';

/** The set that every shop has, with the ids that clients of the platform know. Below 9 are sets of other records. */
export class Migration20261126000000_attribute_sets extends Migration {
  override up(): void {
    this.addSql(
      `insert into attribute_set (attribute_set_id, attribute_set_name, sort_order) values (4, 'Default', 1)`,
    );
    for (const [id, name, code, place, first] of groups) {
      const codes = (id === 7 ? `${first} ${moreDetails}` : first).split(' ').filter((word) => word !== '');
      this.addSql(`insert into attribute_group
        (attribute_group_id, attribute_set_id, attribute_group_name, attribute_group_code, sort_order)
        values (${id}, 4, '${name}', '${code}', ${place})`);
      if (codes.length > 0)
        this.addSql(`insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code, sort_order)
        values ${codes.map((one, at) => `(4, ${id}, '${one}', ${(at + 1) * 10})`).join(', ')}`);
    }
    this.addSql(`select setval(pg_get_serial_sequence('attribute_set', 'attribute_set_id'), 8)`);
    this.addSql(`select setval(pg_get_serial_sequence('attribute_group', 'attribute_group_id'), 20)`);
  }

  override down(): void {
    this.addSql('delete from attribute_set where attribute_set_id = 4');
  }
}
