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
