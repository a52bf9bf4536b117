/**
 * Decimals of the currencies whose smallest coin is not a hundredth: the minor units of ISO 4217, list one of the
 * maintenance agency (SIX), as of 2024-06-25. Every other code has two, also those without a minor unit of their own
 * (metals, funds, test codes): they are not used for payments.
 *
 * Listed by hand and not read from `Intl`, which knows how a currency is usually shown. It shows no decimals for RSD,
 * HUF or IQD, though cards are charged in them.
 */
export const currencyExponents: Readonly<Record<string, number>> = {
  ...withDecimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...withDecimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...withDecimals(4, 'CLF UYW'),
};

export const usualExponent = 2;

function withDecimals(decimals: number, codes: string): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, decimals]));
}
