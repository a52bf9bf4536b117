/** Members of a register's documents that say who somebody is. */
const personal = new Set([
  ...['customer_name', 'customer_email', 'customer_phone', 'customer_note', 'customerName', 'customerEmail'],
  ...['firstname', 'lastname', 'middlename', 'first_name', 'last_name', 'firstName', 'lastName'],
  ...['email', 'telephone', 'phone', 'fax', 'company', 'street', 'taxvat', 'vat_id', 'dob'],
]);
/** Objects about a person, in which a plain `name` is a name too. */
const aboutPerson =
  /^(?:customer|ship_to(?:_shipments)?|backorder_shipments|(?:billing|shipping)_?address|shippingAddress|billingAddress)$/;
/** In such an object also where exactly somebody lives; country and region stay, because taxes depend on them. */
const whereabouts = new Set(['name', 'city', 'postcode']);
/** Lists of goods within such an object have names of their own. */
const goods = 'items';

/**
 * A document of a register without names and addresses; its figures stay. What cannot be read as JSON is dropped as a whole.
 *
 * @param isAboutPerson the document itself is about a person, such as a list of shipments
 */
export function withoutNames(text: string | null, isAboutPerson = false): string | null {
  if (text === null) return null;
  try {
    return JSON.stringify(redacted(JSON.parse(text), isAboutPerson));
  } catch {
    return null;
  }
}

function redacted(value: unknown, isPerson: boolean): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => redacted(one, isPerson));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (personal.has(key) || (isPerson && whereabouts.has(key))) return [key, null];
      return [key, redacted(inner, key === goods ? false : isPerson || aboutPerson.test(key))];
    }),
  );
}
