import { Migration } from '@mikro-orm/migrations';
import { currencyExponents, usualExponent } from '../../domain/money/currency-exponents.ts';

/**
 * An amount in coins of its currency, half away from zero: `domain/money/coins.ts` in SQL. Before every table, because
 * columns and checks of orders count with it. In plpgsql, which plans it once a connection: every write of an order asks it
 * several times, and SQL would start an executor each time.
 */
export class Migration20261121000001_coins extends Migration {
  override up(): void {
    this.addSql(`
      create function in_coins(value numeric, currency text) returns numeric
      language plpgsql immutable strict parallel safe as $$
      begin return round(value, case ${cases} else ${usualExponent} end); end $$`);
  }

  override down(): void {
    this.addSql('drop function in_coins(numeric, text)');
  }
}

const cases = [...new Set(Object.values(currencyExponents))]
  .map((decimals) => {
    const codes = Object.keys(currencyExponents).filter((code) => currencyExponents[code] === decimals);
    return `when upper(currency) in (${codes.map((code) => `'${code}'`).join(', ')}) then ${decimals}`;
  })
  .join(' ');
