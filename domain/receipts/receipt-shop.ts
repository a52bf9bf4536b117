import { resolveKey, type ResolvableKey } from '../configuration/resolve-config.ts';
import { enforcementPath } from '../configuration/enforcement.ts';
import { withStoreAddress } from '../locations/with-store-address.ts';
import type { ReceiptShop } from './receipt-view.ts';
import type { ReceiptParts, StoredPlace } from './stored-receipt.ts';

/** The settings at the receipt's location, as they are now. */
export interface SettingsHere {
  text(key: ResolvableKey): string;
  shows(what: 'staff_name' | 'order_number' | 'receipt_number' | 'sale_reference'): boolean;
  number(key: ResolvableKey): number;
}

/**
 * The location's values win over the shop's. The shop's hold where they are locked or the location is deleted (spec
 * 2.2, 3.6).
 */
export function settingsHere({ settings, place }: ReceiptParts): SettingsHere {
  const location = place ? { ...place.config_overrides, ...given(place) } : {};
  const resolved = (key: ResolvableKey) => resolveKey(key, { settings, location, terminal: {} });
  return {
    text: (key) => String(resolved(key) ?? ''),
    shows: (what) => resolved(`receipt_show_${what}`) === true,
    number: (key) => Number(resolved(key) ?? 0),
  };
}

export function shopOf({ settings, place, shopName, receipt }: ReceiptParts, here: SettingsHere): ReceiptShop {
  const isLocked = settings.flag(enforcementPath('store_details'));
  const where = withStoreAddress(
    place ? { ...place, address_use_storeview: isLocked || place.address_use_storeview } : nowhere,
    settings,
  );
  const digest = settings.text('vendor_pos_terminal/receipt/logo').trim();
  return {
    name: settings.text('general/store_information/name') || shopName,
    locationName: place?.name ?? receipt.locationName,
    addressLines: addressLines(where),
    phone: where.phone || null,
    vatNumber: here.text('vat_number') || where.vat_number || null,
    header: here.text('receipt_header').trim() || null,
    footer: here.text('receipt_footer').trim() || null,
    infoPlacement: here.text('receipt_store_info_placement') === 'footer' ? 'footer' : 'header',
    logo: /^[0-9a-f]{64}$/.test(digest) ? { digest, widthPercent: percent(here.number('receipt_logo_size')) } : null,
    template: settings.text('vendor_pos_terminal/receipt/template').trim() || null,
  };
}

/** For a deleted location: the shop's own address. */
const nowhere = {
  street: null,
  city: null,
  region: null,
  region_id: null,
  postcode: null,
  country_id: null,
  phone: null,
  vat_number: null,
  address_use_storeview: true,
};

/** The location's columns with a value: they win over its other overrides. */
const given = (place: StoredPlace) => Object.fromEntries(Object.entries(place).filter(([, value]) => value !== null));

function addressLines({ street, city, region, postcode, country_id: country }: typeof nowhere | StoredPlace): string[] {
  const town = country === 'US' || country === 'CA' ? [city, [region, postcode]] : [[postcode, city], region];
  const line = town.map((part) => (Array.isArray(part) ? part.filter(Boolean).join(' ') : part)).filter(Boolean);
  return [street, line.join(', ')].flatMap((text) => (text ? [text] : []));
}

const percent = (given: number) => Math.min(100, Math.max(20, given || 100));
