import type pg from 'pg';

/** First names by how often they come; the first ones are many times as frequent as the last. */
const firstNames = `
  James Mary Michael Patricia Robert Jennifer John Linda David Elizabeth William Barbara Richard Susan Joseph Jessica
  Thomas Karen Christopher Sarah Charles Lisa Daniel Nancy Matthew Sandra Anthony Ashley Mark Emily Steven Kimberly
  Andrew Betty Paul Margaret Joshua Donna Kenneth Michelle Kevin Carol Brian Amanda Timothy Melissa Ronald Deborah
  George Stephanie Jason Rebecca Edward Sharon Jeffrey Laura Ryan Cynthia Jacob Dorothy Nicholas Amy Gary Kathleen
  Eric Angela Jonathan Shirley Stephen Emma Larry Brenda Justin Pamela Scott Nicole Brandon Anna Benjamin Samantha
  Samuel Katherine Gregory Christine Alexander Debra Patrick Rachel Frank Carolyn Raymond Janet Jack Maria Dennis
  Olivia Jerry Heather Tyler Helen Aaron Catherine Jose Diane Adam Julie Nathan Victoria Henry Joyce Zachary Lauren
  Douglas Kelly Peter Christina Kyle Ruth Noah Joan Ethan Virginia Jeremy Judith Christian Evelyn Walter Hannah Keith
  Andrea Austin Megan Roger Cheryl Terry Jacqueline Sean Madison Gerald Teresa Carl Abigail Dylan Sophia Harold Martha
  Jordan Sara Jesse Gloria Bryan Janice Lawrence Kathryn Arthur Ann Gabriel Isabella Bruce Judy Logan Charlotte Billy
  Julia Joe Grace Alan Amber Juan Alice Elijah Jean Willie Denise Albert Frances Wayne Danielle Randy Marilyn Mason
  Natalie Vincent Beverly Liam Diana Roy Brittany Bobby Theresa Caleb Kayla Bradley Alexis Russell Doris Lucas Lori
  José Renée Zoë André Chloé Noël Anaïs Björn Søren Łukasz Mateus Priya Wei Aisha Kwame Yuki Ngozi Dmitri Leilani Omar
`
  .trim()
  .split(/\s+/);

const commonLastNames = `
  Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson
  Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young
  Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter
  Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers
  Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez
  Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross Foster Jimenez
  O'Brien Müller Peña Núñez Sørensen Kowalski Ivanov Okafor Tanaka Singh Haddad Nakamura Oyelaran Dubois Lindqvist
`
  .trim()
  .split(/\s+/);

const beginnings = `
  Ash Beck Black Bright Cald Chester Cole Crow Dal Dun East Elm Fair Farn Ferr Glen Gold Gran Hart Hazel Heather Holl
  Ingle Kemp Kirk Lang Lin Lock Mar Mead Mill Nor Oak Old Pem Pike Quar Rad Raven Red Rock Rose Sax Shel Silver Stan
  Sut Tal Thorn Under Val Wake Wal West Whit Wind Wol Wood York Zim
`
  .trim()
  .split(/\s+/);

const endings = `
  ford ton ham ley worth field wood man by bury well brook dale stone hurst gate shaw wick house land bridge more den
  ridge croft smith son berg stein mann hall hill ward wright ing cott combe stead thorpe kins ster ington ingham over
`
  .trim()
  .split(/\s+/);

const notes =
  `Bus 4|Bus 12|Allergic to peanuts|Room 204|Soccer team|Choir|PTA volunteer|Grade 7|Lives with grandmother|
Speaks Spanish|Substitute teacher|Early pick-up Fridays|Season ticket|Prefers evenings`
    .replaceAll('\n', '')
    .split('|');

const lastNames = [
  ...commonLastNames,
  ...beginnings.flatMap((beginning) => endings.map((end) => beginning + end)),
];

/** 30 groups: the first has 40 % of all contacts, each further one three quarters of the one before. */
const groupCount = 30;

/**
 * Fills an account with contacts as organizations have them: names with the frequencies of real ones, phones,
 * some notes, groups from large to small. In sets, with the kept tables written the way an import writes them.
 */
export async function addPeople(db: pg.Pool, accountId: number, count: number): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query("select set_config('app.keeps_contacts_itself', 'on', true), setseed(0.5)");
    // A name of rank r comes with a frequency of about 1/(r + 15): the first last name is that of one in eighty.
    await client.query(
      `insert into contacts (account_id, first_name, last_name, notes, primary_phone, secondary_phone)
       select $1, ($3::text[])[1 + floor(15 * (exp(random() * ln(1 + cardinality($3::text[]) / 15.0)) - 1))::integer],
         ($4::text[])[1 + floor(15 * (exp(random() * ln(1 + cardinality($4::text[]) / 15.0)) - 1))::integer],
         case when i % 5 = 0 then ($5::text[])[1 + (random() * (cardinality($5::text[]) - 1))::integer] else '' end,
         '1' || (2010000000 + (i * 7919) % 7900000000)::text,
         case when i % 10 = 0 then '1' || (2010000000 + (i * 104729) % 7900000000)::text end
       from generate_series(1, $2::bigint) i`,
      [accountId, count, firstNames, lastNames, notes],
    );
    // Without figures of the new rows the planner would compare each with each.
    await client.query('analyze contacts');
    await client.query(
      `with made as (
         insert into groups (account_id, name) select $1, 'Group ' || i from generate_series(1, $2) i returning group_id
       ),
       ranked as (select group_id, row_number() over (order by group_id) as rank from made)
       insert into group_members (account_id, group_id, person_id, sort_name)
       select c.account_id, r.group_id, c.person_id, c.sort_name
       from ranked r join contacts c
         on c.account_id = $1 and hashint8(c.person_id * 31 + r.rank) & 65535 < 65536 * 0.4 * power(0.75, r.rank - 1)`,
      [accountId, groupCount],
    );
    await client.query('analyze group_members');
    await client.query(
      `insert into group_members (account_id, group_id, person_id, sort_name)
       select account_id, -1, person_id, sort_name from contacts c
       where account_id = $1
         and not exists (select from group_members m where m.account_id = $1 and m.person_id = c.person_id)`,
      [accountId],
    );
    await client.query(
      `insert into contact_search (account_id, person_id, sort_name, search_text)
       select account_id, person_id, sort_name, contact_search_text(
         first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone, custom_data)
       from contacts where account_id = $1`,
      [accountId],
    );
    await client.query(
      `insert into list_counts (account_id, list_id, roster_count)
       select account_id, group_id, count(*) from group_members where account_id = $1 group by 1, 2
       union all select $1, 0, count(*) from contacts where account_id = $1`,
      [accountId],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}
