/** A state, province or county; numbered across all countries (platform facts 9.6). */
export interface Region {
  regionId: number;
  countryId: string;
  code: string;
  name: string;
}

/** In the order of their numbers, which begin at 1 and run on from country to country. */
const lists: readonly { countryId: string; regions: string }[] = [
  {
    countryId: 'US',
    regions: `
    AL Alabama | AK Alaska | AS American Samoa | AZ Arizona | AR Arkansas | AF Armed Forces Africa |
    AA Armed Forces Americas | AC Armed Forces Canada | AE Armed Forces Europe | AM Armed Forces Middle East |
    AP Armed Forces Pacific | CA California | CO Colorado | CT Connecticut | DE Delaware | DC District of Columbia |
    FM Federated States Of Micronesia | FL Florida | GA Georgia | GU Guam | HI Hawaii | ID Idaho | IL Illinois |
    IN Indiana | IA Iowa | KS Kansas | KY Kentucky | LA Louisiana | ME Maine | MH Marshall Islands | MD Maryland |
    MA Massachusetts | MI Michigan | MN Minnesota | MS Mississippi | MO Missouri | MT Montana | NE Nebraska |
    NV Nevada | NH New Hampshire | NJ New Jersey | NM New Mexico | NY New York | NC North Carolina | ND North Dakota
    | MP Northern Mariana Islands | OH Ohio | OK Oklahoma | OR Oregon | PW Palau | PA Pennsylvania | PR Puerto Rico
    | RI Rhode Island | SC South Carolina | SD South Dakota | TN Tennessee | TX Texas | UT Utah | VT Vermont |
    VI Virgin Islands | VA Virginia | WA Washington | WV West Virginia | WI Wisconsin | WY Wyoming`,
  },
  {
    countryId: 'CA',
    regions: `
    AB Alberta | BC British Columbia | MB Manitoba | NL Newfoundland and Labrador | NB New Brunswick |
    NS Nova Scotia | NT Northwest Territories | NU Nunavut | ON Ontario | PE Prince Edward Island | QC Quebec |
    SK Saskatchewan | YT Yukon Territory`,
  },
  {
    countryId: 'DE',
    regions: `
    NDS Niedersachsen | BAW Baden-Württemberg | BAY Bayern | BER Berlin | BRG Brandenburg | BRE Bremen | HAM Hamburg
    | HES Hessen | MEC Mecklenburg-Vorpommern | NRW Nordrhein-Westfalen | RHE Rheinland-Pfalz | SAR Saarland |
    SAS Sachsen | SAC Sachsen-Anhalt | SCN Schleswig-Holstein | THE Thüringen`,
  },
];

const regions: readonly Region[] = lists
  .flatMap((list) => list.regions.split('|').map((entry) => ({ countryId: list.countryId, entry: entry.trim() })))
  .map(({ countryId, entry }, index) => ({
    regionId: index + 1,
    countryId,
    code: entry.slice(0, entry.indexOf(' ')),
    name: entry.slice(entry.indexOf(' ') + 1),
  }));

export const regionsOf = (countryId: string): Region[] => regions.filter((region) => region.countryId === countryId);

export const findRegion = (regionId: number): Region | undefined => regions[regionId - 1];
