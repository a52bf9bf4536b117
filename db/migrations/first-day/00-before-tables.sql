-- What indexes, columns, defaults and checks of the tables are made with. Any owner of a database may add the
-- extension.

create extension if not exists pg_trgm;

-- The installation's key, and a part by chance: no other row of any database has the same.
create function new_name_tail() returns text language plpgsql volatile as $$
begin
  return (select installation_key from installation) || '-' || left(replace(gen_random_uuid()::text, '-', ''), 16);
end $$;

-- An amount in coins of its currency, half away from zero: domain/money/coins.ts in SQL. In plpgsql, which plans it
-- once a connection: every write of an order asks it several times, and SQL would start an executor each time.
create function in_coins(value numeric, currency text) returns numeric
language plpgsql immutable strict parallel safe as $$
begin return round(value, case
  when upper(currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND',
    'VUV', 'XAF', 'XOF', 'XPF') then 0
  when upper(currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
  when upper(currency) in ('CLF', 'UYW') then 4
  else 2 end); end $$;

-- All attributes of goods with their values, in small letters, as numbers: a filter by any attribute finds them by one
-- index. The search writes the same for one value (`attributeValue` in `db/support/columns.ts`).
create function attribute_values(attributes jsonb) returns bigint[] language sql immutable parallel safe as $$
  select coalesce(array_agg(hashtextextended(key || '=' || lower(value), 0)), '{}')
  from jsonb_each_text(case jsonb_typeof(attributes) when 'object' then attributes else '{}' end)
  where value is not null
$$;

-- A reference without leading and trailing white space, as it is compared: `String.prototype.trim` in SQL.
create function trimmed_reference(value text) returns text language sql immutable strict parallel safe as $$
  select btrim(value, E'\t\n\u000b\f\r\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')
$$;
