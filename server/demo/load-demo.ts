import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { isCourtesy } from '../../contract/text/courtesy.ts';
import { countSegments } from '../../contract/text/segments.ts';
import { createAccount } from '../accounts/create-account.ts';
import { keepTakenName } from '../accounts/users/keep-taken-name.ts';
import { hashPasswordHere } from '../auth/hash-password.ts';
import { mailVerification } from '../auth/mail-verification.ts';
import { getSecret } from '../auth/queries.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { nowMs } from '../clock.ts';
import { readConfig } from '../config.ts';
import { recordConsents } from '../consents/record-consents.ts';
import { writeContacts, writeMembers } from '../contacts/keep-written.ts';
import { writeConversations } from '../conversations/write-conversations.ts';
import { asSystem, openDatabase, type Trx } from '../db.ts';
import { createFileStore, type FileStore } from '../files.ts';
import { createImage } from '../media/create-image.ts';
import { signLinksWith } from '../media-links.ts';
import { keepLivePhone } from '../numbers/keep-live-phone.ts';
import { openFiles } from '../outside/file-store.ts';
import { recordEvents } from '../record-events.ts';
import { countDays, type DayFigures } from '../texts/count-days.ts';
import { queueWords } from '../texts/queue-words.ts';
import { createDemoAudio, readDemoAudio } from './audio.ts';
import { createBroadcasts } from './broadcasts.ts';
import { createCalls } from './calls.ts';
import { demoNumbers, mainNumbers, otherNumbers, strangerPhone } from './demo-numbers.ts';
import { setDemoDirectory } from './directory.ts';
import { createDripDraft, createDrips } from './drips.ts';
import { createEmergencies } from './emergencies.ts';
import { createHappenings } from './happenings.ts';
import { setDemoIntegration } from './integration.ts';
import { createDemoKeys } from './keys.ts';
import { boughtCredits, createDemoCard, createMoney } from './money.ts';
import { buses, type DemoPerson, grades, makePeople, schools } from './people.ts';
import { drawPictures } from './pictures.ts';
import { createRandom } from './random.ts';
import { loadLibrary, registerSchools } from './registration.ts';
import { createReports } from './reports.ts';
import { createTeam } from './team.ts';
import { type DemoText, type DemoThread, makeThreads } from './threads.ts';
import { setDemoWebhook } from './webhook.ts';

export const demoPassword = 'muster-demo-1';

const ownPhones = new Set([...Object.keys(demoNumbers), strangerPhone]);

/** The folder that the server will use. Without a bucket no other setting is needed here. */
function openDemoFiles(databaseUrl: string, dataDir: string): FileStore {
  const { S3_URL } = process.env;
  if (!S3_URL) return createFileStore(join(resolve(dataDir), 'media'));
  return openFiles(readConfig({ ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }));
}

export interface DemoWorld {
  sandboxUrl?: string;
  /** The key of the sandbox's processor. With a real one there is no card that the demo could have. */
  processorKey?: string | undefined;
  /** The address of Muster in mails. Without it the demo mails nobody. */
  publicUrl?: string | undefined;
}

/**
 * Loads the demo organizations into an empty installation: a school district with its people, numbers and a
 * month of texts, and a small church in addition. Does nothing if there is an organization.
 */
export async function loadDemo(
  databaseUrl: string,
  dataDir: string,
  { sandboxUrl, processorKey, publicUrl }: DemoWorld = {},
): Promise<{ loaded: boolean }> {
  const database = openDatabase(databaseUrl, { connections: 4 });
  const files = openDemoFiles(databaseUrl, dataDir);
  try {
    const any = await database.system.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst();
    if (any !== undefined) {
      if (sandboxUrl !== undefined) {
        await setDemoDirectory(database, sandboxUrl, false);
        await setDemoWebhook(database, sandboxUrl, false);
        await setDemoIntegration(database, sandboxUrl, false);
      }
      return { loaded: false };
    }
    signLinksWith(await getSecret(database));
    // A thread synthesizes them meanwhile.
    const spoken = readDemoAudio();
    // Awaited below: an earlier failure must not be an unhandled one.
    spoken.catch(() => undefined);
    // Hashed here: on a slow machine the hasher, which is made for sign-ins, would give up.
    const passwordHash = String(await hashPasswordHere({ password: demoPassword }));
    await asSystem(database, async (trx) => {
      await loadSchools(trx, files, passwordHash, spoken);
      await loadChurch(trx, passwordHash);
      await loadNewcomer(trx, passwordHash, publicUrl);
      await loadLibrary(trx, passwordHash);
      await createHappenings(trx);
    });
    if (sandboxUrl !== undefined) {
      await setDemoDirectory(database, sandboxUrl, true);
      await setDemoWebhook(database, sandboxUrl, true);
      await setDemoIntegration(database, sandboxUrl, true);
      if (processorKey !== undefined) await createDemoCard(database, { sandboxUrl, secretKey: processorKey });
    }
    // The first pages that a new user opens should not run into tables without planner statistics.
    await sql`analyze messages, conversations, contacts, contact_search, group_members, daily_texts, broadcasts,
      broadcast_recipients, broadcast_slices`
      .execute(database.system)
      .catch(() => undefined);
    return { loaded: true };
  } finally {
    await database.close();
  }
}

async function loadSchools(
  trx: Trx,
  files: FileStore,
  passwordHash: string,
  spoken: ReturnType<typeof readDemoAudio>,
): Promise<void> {
  const random = createRandom(20_260_310);
  const { account_id: accountId, user_id: ownerId } = await createAccount(trx, {
    companyName: 'Harlow Creek Schools',
    timeZone: 'America/New_York',
    owner: {
      firstName: 'Dana',
      lastName: 'Whitfield',
      email: 'dana@harlowcreek.example',
      userName: 'demo-owner',
      passwordHash,
    },
  });
  await trx
    .updateTable('accounts')
    .set({
      state: 'TN',
      industry_id: 4,
      is_api_authorized: true,
      features: [
        'ConversationDateRangeSearch',
        'DripCampaignsBeta',
        'LabsUser',
        'PromotionalTextMessaging',
        'RegistrationProgressStepper',
      ],
    })
    .where('account_id', '=', accountId)
    .execute();
  await registerSchools(trx, accountId, ownerId);
  const adminId = await createPerson(trx, accountId, {
    role: 'admin',
    name: ['Marcus', 'Bell'],
    user_name: 'demo-admin',
    password_hash: passwordHash,
  });
  const userId = await createPerson(trx, accountId, {
    role: 'user',
    name: ['Joanne', 'Pruitt'],
    user_name: 'demo-user',
    password_hash: passwordHash,
  });
  await createDemoKeys(trx, { accountId, ownerId, adminId });
  await moveCredits(trx, [
    { accountId, kind: 'grant', credits: 20_000 - boughtCredits, note: 'Demo credits' },
  ]);
  await createMoney(trx, { accountId, ownerId, adminId });
  const numberIds = await createNumbers(trx, accountId, mainNumbers);
  for (const text_number_id of numberIds.slice(0, 2)) {
    await trx
      .insertInto('user_text_numbers')
      .values({ account_id: accountId, user_id: userId, text_number_id })
      .execute();
  }
  await createTeam(trx, { accountId, ownerId, numberIds, passwordHash });
  const people = makePeople(random, 2000, ownPhones);
  // People with names on the telephones, few enough for quick send.
  for (const person of people.slice(0, 6)) person.groups.push(smallGroup);
  await createContacts(trx, accountId, ownerId, people);
  await createTemplates(trx, accountId, ownerId);

  const pictures = await drawPictures();
  const media = await Promise.all(
    [pictures.form, pictures.map].map((image, index) =>
      createImage(trx, files, image, {
        accountId,
        userId: index === 0 ? null : ownerId,
        fileName: index === 0 ? 'form.jpg' : 'detour.jpg',
      }),
    ),
  );
  const threads = makeThreads(random, people, {
    count: 200,
    numberIds,
    userIds: [ownerId, adminId, userId],
    formMediaId: media[0]?.media_id ?? 0,
    mapMediaId: media[1]?.media_id ?? 0,
  });
  await createThreads(trx, accountId, threads);
  await createBroadcasts(trx, {
    accountId,
    ownerId,
    timeZone: 'America/New_York',
    numberIds,
    mapMediaId: media[1]?.media_id ?? 0,
  });
  await createDrips(trx, { accountId, ownerId, numberIds, group: 'PTA' });
  await createEmergencies(trx, accountId);
  await createDemoAudio(trx, files, await spoken, { accountId, ownerId, adminId, userId });
  await createCalls(trx, { accountId, ownerId });
  await createReports(trx, { accountId, ownerId, timeZone: 'America/New_York' });
  await createDripDraft(trx, { accountId, ownerId, numberIds, group: 'Grade 5' });
}

const smallGroup = 'Field trip helpers';

/** Saved texts that everybody of the district may use. */
async function createTemplates(trx: Trx, accountId: number, ownerId: number): Promise<void> {
  // With the number of uses, and the days since the last one.
  const texts = [
    [
      'Bus running late',
      'late',
      14,
      2,
      'Hi {{FirstName}}, the bus is running about 15 minutes late this morning.',
    ],
    ['Early dismissal', 'early', 3, 9, 'Early dismissal today at 1:30 PM. Buses run two hours early.'],
    [
      'Field trip reminder',
      'trip',
      6,
      1,
      'Hi {{FirstName}}, thank you for helping tomorrow. We meet at 8:00 AM by the gym.',
    ],
    ['School closed', 'closed', 0, 0, 'All schools are closed today because of the weather. Stay safe.'],
  ] as const;
  const labels: Record<string, string[]> = {
    late: ['Buses'],
    early: ['Buses', 'Weather'],
    closed: ['Weather'],
  };
  const made = await trx
    .insertInto('templates')
    .values(
      texts.map(([name, shortcut, use_count, days, body]) => ({
        account_id: accountId,
        user_id: ownerId,
        name,
        shortcut,
        body,
        media_ids: [],
        labels: labels[shortcut] ?? [],
        is_shared: true,
        use_count,
        last_used_at: use_count === 0 ? null : sql<Date>`now() - ${days} * interval '1 day'`,
      })),
    )
    .returning('template_id')
    .execute();
  await trx
    .insertInto('template_favorites')
    .values({ account_id: accountId, user_id: ownerId, template_id: made[0]?.template_id ?? 0 })
    .execute();
}

async function loadChurch(trx: Trx, passwordHash: string): Promise<void> {
  const random = createRandom(7);
  const { account_id: accountId, user_id: ownerId } = await createAccount(trx, {
    companyName: 'Second Street Church',
    timeZone: 'America/Chicago',
    owner: {
      firstName: 'Ruth',
      lastName: 'Abernathy',
      email: 'ruth@secondstreet.example',
      userName: 'other-owner',
      passwordHash,
    },
  });
  await moveCredits(trx, [{ accountId, kind: 'grant', credits: 5_000, note: 'Demo credits' }]);
  const numberIds = await createNumbers(trx, accountId, otherNumbers);
  const people = makePeople(random, 40, ownPhones).map((person) => ({
    ...person,
    groups: ['Congregation'],
    student: '',
  }));
  await createContacts(trx, accountId, ownerId, people);
  const threads = makeThreads(random, people.slice(12), {
    count: 6,
    numberIds,
    userIds: [ownerId],
    formMediaId: 0,
    mapMediaId: 0,
  });
  await createThreads(trx, accountId, threads);
}

/**
 * An organization that has just signed up: its owner has yet to verify the email and to go through
 * onboarding.
 */
async function loadNewcomer(trx: Trx, passwordHash: string, publicUrl: string | undefined): Promise<void> {
  const firstName = 'Tessa';
  const email = 'tessa@riverbend.example';
  const { account_id: accountId, user_id: userId } = await createAccount(trx, {
    companyName: 'Riverbend Youth Soccer',
    timeZone: 'America/New_York',
    trial: { collects: ['InvoiceBillingAddress'] },
    owner: {
      firstName,
      lastName: 'Moreno',
      email,
      userName: 'new-owner',
      passwordHash,
    },
  });
  await moveCredits(trx, [{ accountId, kind: 'grant', credits: 25, note: 'Free trial' }]);
  if (publicUrl !== undefined)
    await mailVerification(trx, { accountId, userId, firstName }, email, publicUrl);
  await recordEvents(trx, { accountId, userId }, [{ kind: 'account.created', id: accountId }]);
}

async function createPerson(
  trx: Trx,
  accountId: number,
  {
    role,
    name: [first_name, last_name],
    user_name,
    password_hash,
  }: { role: 'admin' | 'user'; name: [string, string]; user_name: string; password_hash: string },
): Promise<number> {
  const { user_id } = await trx
    .insertInto('users')
    .values({
      account_id: accountId,
      user_name,
      password_hash,
      first_name,
      last_name,
      email: `${first_name.toLowerCase()}@harlowcreek.example`,
      role,
      can_see_all_roster: true,
      can_see_all_broadcasts: role === 'admin',
      can_see_group_audio: true,
      agreed_to_terms_at: sql`now()`,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow();
  await keepTakenName(trx, accountId, user_id);
  return user_id;
}

async function createNumbers(
  trx: Trx,
  accountId: number,
  numbers: readonly { phone: string; name: string; aggregator_id: 2 | 5; is_default: boolean }[],
): Promise<number[]> {
  const rows = await trx
    .insertInto('text_numbers')
    .values(
      numbers.map((number) => ({
        ...number,
        account_id: accountId,
        registration_status: 'Registered' as const,
      })),
    )
    .returning('text_number_id')
    .execute();
  const ids = rows.map((row) => row.text_number_id);
  for (const id of ids) await keepLivePhone(trx, accountId, id);
  return ids;
}

const dayMs = 86_400_000;
/** Before the first texts in their threads. */
const enrolledDays = 90;

async function createContacts(
  trx: Trx,
  accountId: number,
  ownerId: number,
  people: DemoPerson[],
): Promise<void> {
  const enrolledAt = new Date(nowMs() - enrolledDays * dayMs);
  enrolledAt.setUTCHours(14, 0, 0, 0);
  const column = <T>(pick: (person: DemoPerson) => T) => people.map(pick);
  const student = await trx
    .insertInto('custom_fields')
    .values({ account_id: accountId, name: 'Student' })
    .returning('field_id')
    .executeTakeFirstOrThrow();
  await writeContacts(
    trx,
    sql`
    insert into contacts (account_id, first_name, last_name, primary_phone, notes, custom_data, created_by_user_id, created_at)
    select ${accountId}, p.first_name, p.last_name, p.phone, p.notes,
      case when p.student = '' then '{}' else jsonb_build_object(${String(student.field_id)}::text, p.student) end, ${ownerId},
      ${enrolledAt}::timestamptz
    from unnest(${column((p) => p.firstName)}::text[], ${column((p) => p.lastName)}::text[], ${column((p) => p.phone)}::text[],
      ${column((p) => p.notes)}::text[], ${column((p) => p.student)}::text[]) with ordinality
      as p(first_name, last_name, phone, notes, student, place)
    order by p.place`,
  );
  const known = [...schools, ...grades, ...buses, 'PTA', 'Staff', 'Congregation', smallGroup].filter((name) =>
    people.some((person) => person.groups.includes(name)),
  );
  await trx
    .insertInto('groups')
    .values(known.map((name, index) => ({ account_id: accountId, name, color: index % 8 })))
    .execute();
  const members = people.flatMap((person) => person.groups.map((group) => ({ phone: person.phone, group })));
  await writeMembers(
    trx,
    sql`
    insert into group_members (account_id, group_id, person_id, sort_name)
    select g.account_id, g.group_id, c.person_id, c.sort_name
    from unnest(${members.map((m) => m.phone)}::text[], ${members.map((m) => m.group)}::text[]) as m(phone, name)
    join groups g on g.account_id = ${accountId} and g.name = m.name
    join contacts c on c.account_id = ${accountId} and c.primary_phone = m.phone
    on conflict do nothing`,
  );
  // Half of them have said yes on a form; the rest have no record.
  await recordConsents(
    trx,
    people
      .filter((_, index) => index % 2 === 0)
      .map((person) => ({
        accountId,
        phone: person.phone,
        state: 'in' as const,
        at: enrolledAt,
        source: 'web' as const,
        wording: 'Signed at enrollment',
      })),
  );
}

/** True if all unread texts, or all of their texts since our last one, are courtesies. */
function needsNoAnswer({ texts, unread }: DemoThread): boolean {
  const ours = texts.findLastIndex(({ isInbound }) => !isInbound);
  const since = unread > 0 ? texts.slice(-unread) : texts.slice(ours + 1);
  return since.length > 0 && since.every(({ body }) => isCourtesy(body));
}

/** Threads into the ledger, the resulting conversations, and the matching day counts and credits. */
async function createThreads(trx: Trx, accountId: number, threads: DemoThread[]): Promise<void> {
  const texts = threads.flatMap((thread) => thread.texts.map((text) => ({ ...text, thread })));
  type Row = DemoText & { thread: DemoThread };
  const column = <T>(pick: (row: Row) => T) => texts.map(pick);
  await sql`
    with made as (
      insert into messages (account_id, text_number_id, phone, is_inbound, status, status_at, handed_at, origin, body,
        segments, credits, user_id, media_ids, created_at)
      select ${accountId}, t.number, t.phone, t.is_inbound, t.status, t.at + interval '4 seconds',
        case when t.is_inbound then null else t.at + interval '1 second' end,
        case when t.is_inbound then 'inbound' else 'conversation' end, t.body, t.segments,
        case when t.is_inbound then 0 else t.segments end, t.user_id,
        case when t.media_id is null then '{}'::bigint[] else array[t.media_id] end, t.at
      from unnest(
        ${column((t) => t.thread.textNumberId)}::bigint[], ${column((t) => t.thread.phone)}::text[],
        ${column((t) => t.isInbound)}::boolean[], ${column((t) => t.status)}::text[],
        ${column((t) => t.at)}::timestamptz[], ${column((t) => t.body)}::text[],
        ${column((t) => Math.max(1, countSegments(t.body).segments))}::int[], ${column((t) => t.userId)}::bigint[],
        ${column((t) => t.mediaId)}::bigint[]) as t(number, phone, is_inbound, status, at, body, segments, user_id, media_id)
      order by t.at
      returning account_id, message_id, origin, body
    ),
    ${queueWords}
    select from queued`.execute(trx);
  await writeConversations(trx, {
    write: sql`
      insert into conversations (account_id, text_number_id, phone, is_done, done_at, is_auto_opt_out, unread_count,
        last_message_id, last_message_at, waiting_since, courtesy_since, created_at)
      select m.account_id, m.text_number_id, m.phone, t.is_done,
        case when t.is_done then least(now(), max(m.created_at) + interval '4 minutes') end, t.is_opted_out, t.unread,
        (array_agg(m.message_id order by m.created_at desc))[1], max(m.created_at),
        case when t.unread > 0 and not t.needs_no_answer
          then min(m.created_at) filter (where m.is_inbound and m.created_at > now() - interval '1 day') end,
        case when t.needs_no_answer then max(m.created_at) end,
        min(m.created_at)
      from messages m
      join unnest(${threads.map((t) => t.textNumberId)}::bigint[], ${threads.map((t) => t.phone)}::text[],
        ${threads.map((t) => t.isDone)}::boolean[], ${threads.map((t) => t.isOptedOut)}::boolean[],
        ${threads.map((t) => t.unread)}::int[], ${threads.map(needsNoAnswer)}::boolean[])
          as t(number, phone, is_done, is_opted_out, unread, needs_no_answer)
        on t.number = m.text_number_id and t.phone = m.phone
      where m.account_id = ${accountId}
      group by m.account_id, m.text_number_id, m.phone, t.is_done, t.is_opted_out, t.unread, t.needs_no_answer`,
  });
  const { rows: figures } = await sql<DayFigures>`
    select m.account_id as "accountId", a.time_zone as zone,
      floor(extract(epoch from m.created_at) * 1000)::float8 as "atMs", m.text_number_id as "textNumberId",
      m.user_id as "userId", false as "isBroadcast", (count(*) filter (where not is_inbound))::int as sent, (count(*) filter (where status = 'delivered'))::int as delivered,
      (count(*) filter (where text_status_rank(status) = 3))::int as failed,
      (count(*) filter (where is_inbound))::int as received, sum(m.credits)::int as credits
    from messages m join accounts a on a.account_id = m.account_id
    where m.account_id = ${accountId}
    group by 1, 2, 3, 4, 5`.execute(trx);
  await countDays(trx, figures);
  const used = texts.reduce(
    (sum, text) => sum + (text.isInbound ? 0 : Math.max(1, countSegments(text.body).segments)),
    0,
  );
  await moveCredits(trx, [
    { accountId, kind: 'reserve', credits: used, note: 'Texts of the last month' },
    { accountId, kind: 'settle', credits: used, note: 'Texts of the last month' },
  ]);
  await recordConsents(
    trx,
    threads
      .filter((thread) => thread.isOptedOut)
      .map((thread) => ({
        accountId,
        phone: thread.phone,
        state: 'out' as const,
        at: thread.texts.at(-1)?.at ?? new Date(),
        source: 'inbound' as const,
        wording: thread.texts.at(-1)?.body ?? '',
      })),
  );
}
