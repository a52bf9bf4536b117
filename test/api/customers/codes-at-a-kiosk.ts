import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { forgetSettings } from '../../support/books/settings.ts';
import { aKioskShop, type KioskShop } from '../../support/kiosk.ts';

export const section = 'vendor_pos_advanced/self_checkout';

export let shop: KioskShop;

/** A kiosk whose limits start anew before each test. */
export function opensAKiosk(): void {
  beforeAll(async () => {
    shop = await aKioskShop();
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    await shop.forgetTries();
    await forgetSettings(shop, `${section}/`);
    shop.mail.took = [];
    shop.mail.fault = undefined;
    shop.mail.isThere = true;
    delete shop.whenBegun.fails;
    shop.begun.splice(0);
  });
}

export const wrong = { status: 401, body: { message: 'The code is invalid or has expired.' } };
export const notAsked = { status: 404, body: { message: 'No code was requested with this e-mail at this terminal.' } };
