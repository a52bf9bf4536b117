/** A state, province or county; numbered across all countries (platform facts 9.6). */
interface Region {
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

/** A country of ISO 3166-1 (platform facts 9.6). */
export interface Country {
  /** Two letters. */
  id: string;
  threeLetters: string;
  /** Empty where addresses have no region. */
  regions: readonly Region[];
}

/** Pairs of codes: two letters, then three letters. */
const codes = `
ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD
BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN
CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU
DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB
GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG
HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN
KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU
LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR
MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL
OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB
RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP
SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN
TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF
ZMZMB ZWZWE
`;

export const countries: readonly Country[] = codes
  .trim()
  .split(/\s+/)
  .map((code) => ({ id: code.slice(0, 2), threeLetters: code.slice(2), regions: regionsOf(code.slice(0, 2)) }));

const byId = new Map(countries.map((country) => [country.id, country]));

export const findCountry = (id: string): Country | undefined => byId.get(id);

/**
 * The platform's defaults: places without postcodes, and countries whose addresses need a region (platform facts 8).
 */
const withoutPostcodes = new Set(['HK', 'IE', 'MO', 'PA']);
const withRegions = new Set(['CA', 'US']);

export const needsPostcode = (countryId: string) => !withoutPostcodes.has(countryId);
export const needsRegion = (countryId: string) => withRegions.has(countryId);

/** Countries' names in a language such as `de-DE`; the two letters where the language has none. */
export function countryNames(locale: string): (id: string) => string {
  const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' });
  return (id) => names.of(id) ?? id;
}

export interface PostcodePattern {
  /** A regular expression with the same meaning in every dialect; it matches the whole postcode. */
  pattern: string;
  example: string;
}

/**
 * Countries whose postcodes are digits, letters and separators in fixed places: `#` stands for any digit, `@` for any
 * capital letter, everything else for itself; each with an example. Alternatives have a line of their own.
 */
const masks = `
AF #### 1001|AL #### 1001|AM #### 0010|AR #### 1636|AR @####@@@ C1425CLA|AS ##### 96799|AS #####-#### 96799-0001
AT #### 1010|AU #### 2060|AX ##### 22100|AZ #### 1000|AZ AZ#### AZ1000|BA ##### 71000|BD #### 1340|BE #### 1000
BG #### 1000|BL ##### 97133|BN @@#### BT2328|BR #####-### 40301-110|BR ######## 40301110|BT ##### 11001|BY ###### 223016
CC #### 6799|CH #### 8001|CL ####### 8340457|CL ###-#### 834-0457|CN ###### 100000|CO ###### 110111|CR ##### 10101
CU ##### 10100|CV #### 7600|CX #### 6798|CY #### 1010|CZ ##### 11000|CZ ### ## 110 00|DE ##### 10115|DK #### 1050
DO ##### 10101|DZ ##### 16000|EC ###### 170515|EE ##### 10111|EG ##### 11511|EH ##### 70000|ES ##### 28001|ET #### 1000
FI ##### 00100|FM ##### 96941|FM #####-#### 96941-0001|FO ### 100|FR ##### 75001|GE #### 0105|GF ##### 97300
GL #### 3900|GN ### 001|GP ##### 97100|GR ##### 10431|GR ### ## 104 31|GT ##### 01001|GU ##### 96910
GU #####-#### 96910-0001|GW #### 1000|HM #### 7050|HN ##### 11101|HR ##### 10000|HT #### 6110|HU #### 1011
ID ##### 10110|IL ####### 9414219|IL ##### 61999|IN ###### 110001|IN ### ### 110 001|IQ ##### 10011
IR ########## 1193653471|IR #####-##### 11936-53471|IS ### 101|IT ##### 00118|JO ##### 11118|JP ###-#### 100-0001
JP ####### 1000001|KE ##### 00100|KG ###### 720001|KH ##### 12203|KH ###### 120101|KR ##### 03051|KW ##### 54545
KZ ###### 050000|LA ##### 01000|LB #### 1107|LB #### #### 2038 3054|LB ######## 20383054|LI #### 9490|LK ##### 20000
LR #### 1000|LS ### 100|LT ##### 01001|LT LT-##### LT-01001|LU #### 1009|LU L-#### L-1009|LV LV-#### LV-1050
LV #### 1050|MA ##### 10000|MC ##### 98000|MD MD-#### MD-2001|MD #### 2001|ME ##### 81000|MF ##### 97150|MG ### 101
MH ##### 96960|MH #####-#### 96960-0001|MK #### 1000|MM ##### 11181|MN ##### 14200|MP ##### 96950
MP #####-#### 96950-0001|MQ ##### 97200|MU ##### 42602|MU ###@@### 742CU001|MV ##### 20002|MX ##### 02860|MY ##### 50000
MZ #### 1100|NA ##### 10001|NC ##### 98800|NE #### 8001|NF #### 2899|NG ###### 100001|NI ##### 11001|NL #### @@ 1011 AB
NL ####@@ 1011AB|NO #### 0150|NP ##### 44600|NZ #### 6011|OM ### 100|PA #### 0801|PE ##### 15001|PF ##### 98701
PG ### 111|PH #### 1000|PK ##### 44000|PL ##-### 00-001|PM ##### 97500|PR ##### 00901|PR #####-#### 00901-0001
PT ####-### 1000-001|PW ##### 96940|PW #####-#### 96940-0001|PY #### 1536|RE ##### 97400|RO ###### 010011|RS ##### 11000
RU ###### 101000|SA ##### 11564|SD ##### 11111|SE ##### 11455|SE ### ## 114 55|SG ###### 018956|SI #### 1000
SJ #### 9170|SK ##### 81101|SK ### ## 811 01|SM 4789# 47890|SN ##### 10000|SV #### 1101|SZ @### H100|TH ##### 10200
TJ ###### 734000|TM ###### 744000|TN #### 1000|TR ##### 34000|TT ###### 120110|TW ### 100|TW ##### 10001
TW ###### 100001|TZ ##### 34413|UA ##### 01001|UM ##### 96898|US ##### 12345|US #####-#### 12345-6789|UY ##### 11000
UZ ###### 100000|VA 00120 00120|VC VC#### VC0100|VE #### 1010|VG VG#### VG1110|VI ##### 00801|VI #####-#### 00801-0001
VN ##### 10000|VN ###### 100000|WF ##### 98600|YT ##### 97600|ZA #### 0002|ZM ##### 10101
`;

/** Countries whose postcodes no mask describes. */
const others: readonly (readonly [country: string, pattern: string, example: string])[] = [
  ['AD', '^AD[1-7][0-9]{2}$', 'AD500'],
  ['AI', '^(AI-)?2640$', 'AI-2640'],
  ['BB', '^BB[0-9]{5}$', 'BB15094'],
  ['BH', '^([1-9]|1[0-2])[0-9]{2}$', '317'],
  ['BM', '^[A-Z]{2} ?[A-Z0-9]{2}$', 'HM 12'],
  ['CA', '^[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] ?[0-9][ABCEGHJ-NPRSTV-Z][0-9]$', 'K1A 0B1'],
  ['FK', '^FIQQ 1ZZ$', 'FIQQ 1ZZ'],
  ['GB', '^(GIR ?0AA|[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2})$', 'SW1A 1AA'],
  ['GG', '^GY[0-9]{1,2} ?[0-9][A-Z]{2}$', 'GY1 1AA'],
  ['GI', '^GX11 1AA$', 'GX11 1AA'],
  ['GS', '^SIQQ 1ZZ$', 'SIQQ 1ZZ'],
  ['IE', '^[A-Z][0-9][0-9W] ?[A-Z0-9]{4}$', 'D02 AF30'],
  ['IM', '^IM[0-9]{1,2} ?[0-9][A-Z]{2}$', 'IM1 1AA'],
  ['IO', '^BBND 1ZZ$', 'BBND 1ZZ'],
  ['JE', '^JE[0-9]{1,2} ?[0-9][A-Z]{2}$', 'JE2 3NG'],
  ['KY', '^KY[0-9]-[0-9]{4}$', 'KY1-1001'],
  ['LC', '^LC[0-9]{2} {1,2}[0-9]{3}$', 'LC04  101'],
  ['MS', '^MSR ?[0-9]{4}$', 'MSR 1120'],
  ['MT', '^[A-Z]{3} ?[0-9]{4}$', 'VLT 1117'],
  ['PN', '^PCRN 1ZZ$', 'PCRN 1ZZ'],
  ['SH', '^(STHL|ASCN|TDCU) 1ZZ$', 'STHL 1ZZ'],
  ['SO', '^[A-Z]{2} ?[0-9]{5}$', 'JH 09010'],
  ['TC', '^TKCA 1ZZ$', 'TKCA 1ZZ'],
];

const patternOf = (mask: string) =>
  `^${mask.replaceAll(/#+|@+/g, (run) => `${run.startsWith('#') ? '[0-9]' : '[A-Z]'}{${run.length}}`)}$`;

/** Mask and example have the same length, so the blank between them is the middle one. */
function fromMask(line: string): readonly [string, string, string] {
  const rest = line.slice(3);
  const middle = (rest.length - 1) / 2;
  return [line.slice(0, 2), patternOf(rest.slice(0, middle)), rest.slice(middle + 1)];
}

/**
 * What postcodes look like, by country (spec 2.18, platform facts 9.6).
 *
 * Countries without a pattern accept any postcode: where letters go by box, town or island alone (AE, HK, QA, most of
 * Africa and of the Pacific), where nobody lives (AQ, BV, TF), and where a code was announced that letters do not
 * carry yet or whose form is still changing (GH, JM, KN, LY, PS, WS).
 */
export const postcodePatterns: Readonly<Record<string, PostcodePattern[]>> = byCountry([
  ...masks.trim().split(/[\n|]/).map(fromMask),
  ...others,
]);

function byCountry(rows: readonly (readonly [string, string, string])[]): Record<string, PostcodePattern[]> {
  const patterns: Record<string, PostcodePattern[]> = {};
  for (const [country, pattern, example] of rows) (patterns[country] ??= []).push({ pattern, example });
  return patterns;
}

/** A region as tables keep it: its number, if the directory has it, and its name. */
export interface StoredRegion {
  regionId: number | null;
  region: string | null;
}

/**
 * The region of a country by code or name, in any case of letters. A region that the directory does not have keeps its
 * name only.
 */
export function regionOf(countryId: string | null | undefined, input: string | null): StoredRegion {
  if (input === null || input.trim() === '') return { regionId: null, region: null };
  const requested = input.trim().toUpperCase();
  const found = regionsOf(countryId ?? '').find(
    ({ code, name }) => code.toUpperCase() === requested || name.toUpperCase() === requested,
  );
  return { regionId: found?.regionId ?? null, region: found?.name ?? input };
}

/** The reverse of `regionOf`: the directory's code, else the name. */
export const regionCode = ({ regionId, region }: { regionId?: number | null; region?: string | null }) =>
  (regionId ? findRegion(regionId)?.code : undefined) ?? region ?? null;
