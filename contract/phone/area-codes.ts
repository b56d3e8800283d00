/**
 * The area codes of the United States with Puerto Rico and the territories, and of Canada: where each one is
 * and which IANA zones it covers. The test compares the list with libphonenumber's; fifteen announced
 * overlays that libphonenumber doesn't have yet are in it too, so that nobody with a new number is refused. A
 * new area code is one entry here, and one more under `spanning` when it reaches into a second zone.
 */
export interface AreaCode {
  code: string;
  country: 'US' | 'CA';
  /** Postal abbreviation of the state, province or territory; the largest one where there are several. */
  state: string;
  /** The best-known city. */
  place: string;
  /** Every zone that the area code reaches into, the most populous first. */
  zones: readonly string[];
}

const EASTERN = 'America/New_York';
const DETROIT = 'America/Detroit';
const INDIANA = 'America/Indiana/Indianapolis';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const BOISE = 'America/Boise';
const ARIZONA = 'America/Phoenix';
const PACIFIC = 'America/Los_Angeles';
const ATLANTIC = 'America/Halifax';
const TORONTO = 'America/Toronto';
const WINNIPEG = 'America/Winnipeg';
const REGINA = 'America/Regina';
const EDMONTON = 'America/Edmonton';
const VANCOUVER = 'America/Vancouver';

/** State, main zone, and "code code place" groups. */
type Region = readonly [state: string, zone: string, places: string];

const unitedStates: readonly Region[] = [
  ['AL', CENTRAL, '205 659 Birmingham;251 Mobile;256 938 Huntsville;334 483 Montgomery'],
  ['AK', 'America/Anchorage', '907 Anchorage'],
  ['AZ', ARIZONA, '480 Mesa;520 Tucson;602 Phoenix;623 Glendale;928 Flagstaff'],
  ['AR', CENTRAL, '479 Fort Smith;501 Little Rock;870 327 Jonesboro'],
  [
    'CA',
    PACIFIC,
    '209 350 Stockton;213 323 738 Los Angeles;310 424 Santa Monica;408 669 San Jose;415 628 San Francisco;' +
      '510 341 Oakland;530 837 Redding;559 357 Fresno;562 Long Beach;619 858 San Diego;626 Pasadena;650 San Mateo;' +
      '661 Bakersfield;707 369 Santa Rosa;714 657 Anaheim;760 442 Oceanside;805 820 Oxnard;818 747 Burbank;' +
      '831 Salinas;909 840 San Bernardino;916 279 Sacramento;925 Concord;949 Irvine;951 Riverside',
  ],
  ['CO', MOUNTAIN, '303 720 983 Denver;719 Colorado Springs;970 748 Fort Collins'],
  ['CT', EASTERN, '203 475 Bridgeport;860 959 Hartford'],
  ['DE', EASTERN, '302 Wilmington'],
  ['DC', EASTERN, '202 771 Washington'],
  [
    'FL',
    EASTERN,
    '239 Fort Myers;305 786 645 Miami;321 407 689 Orlando;352 Gainesville;386 Daytona Beach;561 728 West Palm Beach;' +
      '727 St. Petersburg;772 Port St. Lucie;813 656 Tampa;850 448 Tallahassee;863 Lakeland;904 324 Jacksonville;' +
      '941 Sarasota;954 754 Fort Lauderdale',
  ],
  ['GA', EASTERN, '229 Albany;404 470 678 770 943 Atlanta;478 Macon;706 762 Augusta;912 565 Savannah'],
  ['HI', 'Pacific/Honolulu', '808 Honolulu'],
  ['ID', BOISE, '208 986 Boise'],
  [
    'IL',
    CENTRAL,
    '217 447 Springfield;309 861 Peoria;312 773 872 Chicago;618 730 Belleville;630 331 Aurora;708 464 Cicero;' +
      '815 779 Rockford;847 224 Elgin',
  ],
  [
    'IN',
    INDIANA,
    '219 Gary;260 Fort Wayne;317 463 Indianapolis;574 South Bend;765 Lafayette;812 930 Evansville',
  ],
  ['IA', CENTRAL, '319 Cedar Rapids;515 Des Moines;563 Davenport;641 Mason City;712 Sioux City'],
  ['KS', CENTRAL, '316 Wichita;620 Dodge City;785 Topeka;913 Overland Park'],
  ['KY', EASTERN, '270 364 Bowling Green;502 Louisville;606 Ashland;859 Lexington'],
  ['LA', CENTRAL, '225 Baton Rouge;318 457 Shreveport;337 Lafayette;504 New Orleans;985 Houma'],
  ['ME', EASTERN, '207 Portland'],
  ['MD', EASTERN, '301 240 227 Germantown;410 443 667 Baltimore'],
  ['MA', EASTERN, '413 Springfield;508 774 Worcester;617 857 Boston;781 339 Lynn;978 351 Lowell'],
  [
    'MI',
    DETROIT,
    '231 Muskegon;248 947 Troy;269 Kalamazoo;313 679 Detroit;517 Lansing;586 Warren;616 Grand Rapids;734 Ann Arbor;' +
      '810 Flint;906 Marquette;989 Saginaw',
  ],
  [
    'MN',
    CENTRAL,
    '218 Duluth;320 St. Cloud;507 924 Rochester;612 Minneapolis;651 St. Paul;763 Brooklyn Park;952 Bloomington',
  ],
  ['MS', CENTRAL, '228 Gulfport;601 769 Jackson;662 471 Tupelo'],
  [
    'MO',
    CENTRAL,
    "314 557 St. Louis;417 Springfield;573 235 Columbia;636 O'Fallon;660 Sedalia;816 975 Kansas City",
  ],
  ['MT', MOUNTAIN, '406 Billings'],
  ['NE', CENTRAL, '308 Grand Island;402 531 Omaha'],
  ['NV', PACIFIC, '702 725 Las Vegas;775 Reno'],
  ['NH', EASTERN, '603 Manchester'],
  [
    'NJ',
    EASTERN,
    '201 551 Jersey City;609 640 Trenton;732 848 Toms River;856 Camden;908 Elizabeth;973 862 Newark',
  ],
  ['NM', MOUNTAIN, '505 Albuquerque;575 Las Cruces'],
  [
    'NY',
    EASTERN,
    '212 332 646 917 347 718 929 465 New York;315 680 Syracuse;516 363 Hempstead;518 838 Albany;585 Rochester;' +
      '607 Binghamton;631 934 Brentwood;716 624 Buffalo;845 329 Poughkeepsie;914 Yonkers',
  ],
  [
    'NC',
    EASTERN,
    '252 Greenville;336 743 Greensboro;704 980 Charlotte;828 Asheville;910 472 Fayetteville;919 984 Raleigh',
  ],
  ['ND', CENTRAL, '701 Fargo'],
  [
    'OH',
    EASTERN,
    '216 Cleveland;330 234 Akron;419 567 Toledo;440 436 Parma;513 283 Cincinnati;614 380 Columbus;740 220 Newark;' +
      '937 326 Dayton',
  ],
  ['OK', CENTRAL, '405 572 Oklahoma City;580 Lawton;918 539 Tulsa'],
  ['OR', PACIFIC, '503 971 Portland;541 458 Eugene'],
  [
    'PA',
    EASTERN,
    '215 267 445 Philadelphia;412 878 Pittsburgh;570 272 Scranton;610 484 835 Allentown;717 223 Lancaster;' +
      '724 Greensburg;814 582 Erie',
  ],
  ['RI', EASTERN, '401 Providence'],
  ['SC', EASTERN, '803 839 Columbia;843 854 Charleston;864 821 Greenville'],
  ['SD', CENTRAL, '605 Sioux Falls'],
  ['TN', CENTRAL, '615 629 Nashville;731 Jackson;901 Memphis;931 Clarksville'],
  ['TN', EASTERN, '423 729 Chattanooga;865 Knoxville'],
  [
    'TX',
    CENTRAL,
    '210 726 San Antonio;214 469 972 945 Dallas;254 Killeen;325 Abilene;361 Corpus Christi;409 Beaumont;432 Midland;' +
      '512 737 Austin;713 281 832 346 621 Houston;806 Lubbock;817 682 Fort Worth;830 New Braunfels;903 430 Tyler;' +
      '936 Conroe;940 Denton;956 Laredo;979 College Station',
  ],
  ['TX', MOUNTAIN, '915 El Paso'],
  ['UT', MOUNTAIN, '435 St. George;801 385 Salt Lake City'],
  ['VT', EASTERN, '802 Burlington'],
  [
    'VA',
    EASTERN,
    '276 Bristol;434 Lynchburg;540 826 Roanoke;703 571 Arlington;757 948 Virginia Beach;804 686 Richmond',
  ],
  ['WA', PACIFIC, '206 Seattle;253 Tacoma;360 564 Vancouver;425 Bellevue;509 Spokane'],
  ['WV', EASTERN, '304 681 Charleston'],
  ['WI', CENTRAL, '262 Kenosha;414 Milwaukee;608 353 Madison;715 534 Eau Claire;920 274 Green Bay'],
  ['WY', MOUNTAIN, '307 Cheyenne'],
  ['PR', 'America/Puerto_Rico', '787 939 San Juan'],
  ['VI', 'America/St_Thomas', '340 Charlotte Amalie'],
  ['GU', 'Pacific/Guam', '671 Dededo'],
  ['MP', 'Pacific/Saipan', '670 Saipan'],
  ['AS', 'Pacific/Pago_Pago', '684 Pago Pago'],
];

const canada: readonly Region[] = [
  ['AB', EDMONTON, '403 Calgary;587 825 368 Calgary;780 Edmonton'],
  ['BC', VANCOUVER, '604 Vancouver;250 Victoria;778 236 672 257 Vancouver'],
  ['MB', WINNIPEG, '204 431 584 Winnipeg'],
  ['NB', 'America/Moncton', '506 428 Moncton'],
  ['NL', 'America/St_Johns', "709 879 St. John's"],
  ['NS', ATLANTIC, '902 782 851 Halifax'],
  [
    'ON',
    TORONTO,
    '416 647 437 942 Toronto;519 226 548 382 London;613 343 753 Ottawa;705 249 683 Sudbury;905 289 365 742 Mississauga;' +
      '807 Thunder Bay',
  ],
  [
    'QC',
    TORONTO,
    '418 581 367 Quebec City;450 579 354 Longueuil;514 438 263 Montreal;819 873 468 Gatineau;273 Quebec City',
  ],
  ['SK', REGINA, '306 639 474 Saskatoon'],
  ['YT', 'America/Whitehorse', '867 Whitehorse'],
];

/** All of British Columbia: the Kootenays keep Alberta's clock, the Peace River country its own. */
const britishColumbia = [
  VANCOUVER,
  EDMONTON,
  'America/Dawson_Creek',
  'America/Fort_Nelson',
  'America/Creston',
];
const idaho = [BOISE, PACIFIC];
const floridaPanhandle = [EASTERN, CENTRAL];
const westernKentucky = [CENTRAL, EASTERN];
const southernIndiana = [INDIANA, CENTRAL];
const chattanooga = [EASTERN, CENTRAL];
const easternOregon = [PACIFIC, BOISE];
/** The Magdalen Islands and the Lower North Shore. */
const easternQuebec = [TORONTO, ATLANTIC, 'America/Blanc-Sablon'];
/** Lloydminster keeps Alberta's clock, Creighton Manitoba's. */
const saskatchewan = [REGINA, EDMONTON, WINNIPEG];
const newfoundland = ['America/St_Johns', 'America/Goose_Bay'];

/** Area codes that reach into more than one zone. Quiet hours take the strictest of them. */
const spanning: Readonly<Record<string, readonly string[]>> = {
  '208': idaho,
  '986': idaho,
  '219': [CENTRAL, INDIANA],
  '270': westernKentucky,
  '364': westernKentucky,
  '308': [CENTRAL, MOUNTAIN],
  '423': chattanooga,
  '729': chattanooga,
  '458': easternOregon,
  '541': easternOregon,
  '574': [INDIANA, CENTRAL],
  '605': [CENTRAL, MOUNTAIN],
  '606': [EASTERN, CENTRAL],
  '620': [CENTRAL, MOUNTAIN],
  '701': [CENTRAL, MOUNTAIN],
  '775': [PACIFIC, MOUNTAIN],
  '785': [CENTRAL, MOUNTAIN],
  '812': southernIndiana,
  '930': southernIndiana,
  '850': floridaPanhandle,
  '448': floridaPanhandle,
  '906': [DETROIT, 'America/Menominee'],
  '907': ['America/Anchorage', 'America/Adak'],
  // The Navajo Nation changes its clocks, the rest of Arizona doesn't.
  '928': [ARIZONA, MOUNTAIN],
  '250': britishColumbia,
  '778': britishColumbia,
  '236': britishColumbia,
  '672': britishColumbia,
  '257': britishColumbia,
  '306': saskatchewan,
  '639': saskatchewan,
  '474': saskatchewan,
  // West of the 90th meridian Ontario keeps Central time and, unlike Manitoba, still changes its clocks.
  '807': [TORONTO, CENTRAL, WINNIPEG, 'America/Atikokan'],
  '418': easternQuebec,
  '581': easternQuebec,
  '367': easternQuebec,
  '273': easternQuebec,
  '709': newfoundland,
  '879': newfoundland,
  // Yukon, the Northwest Territories and Nunavut.
  '867': [
    'America/Whitehorse',
    'America/Inuvik',
    'America/Cambridge_Bay',
    'America/Rankin_Inlet',
    'America/Iqaluit',
  ],
};

const byCode = new Map<string, AreaCode>();
readRegions('US', unitedStates);
readRegions('CA', canada);

function readRegions(country: AreaCode['country'], regions: readonly Region[]) {
  for (const [state, zone, places] of regions) {
    for (const group of places.split(';')) {
      const place = group.replace(/^[\d ]+/, '');
      for (const code of group.slice(0, -place.length).trim().split(' ')) {
        byCode.set(code, { code, country, state, place, zones: spanning[code] ?? [zone] });
      }
    }
  }
}

export const areaCodes: readonly AreaCode[] = [...byCode.values()];

export function findAreaCode(code: string): AreaCode | undefined {
  return byCode.get(code);
}

/** Every zone the area code reaches into; none when it is no geographic area code of the US or Canada. */
export function zonesOfAreaCode(code: string): readonly string[] {
  return byCode.get(code)?.zones ?? [];
}

/** "Chattanooga, TN" for 14235550143 or 4235550143; undefined for toll-free and other numbers. */
export function placeOfPhone(phone: string): string | undefined {
  const ten = phone.length === 11 && phone.startsWith('1') ? phone.slice(1) : phone;
  const found = ten.length === 10 ? byCode.get(ten.slice(0, 3)) : undefined;
  return found && `${found.place}, ${found.state}`;
}
