import { resolve } from 'node:path';
import { sql } from 'kysely';
import { features } from '../contract/accounts.ts';
import { Refusal } from '../contract/errors.ts';
import { longestText } from '../contract/forms/compose-text.ts';
import { formatCents } from '../contract/money/cents.ts';
import { setAccountFlags, setFeature } from './accounts/set-flags.ts';
import { setTextLimit } from './accounts/set-text-limit.ts';
import { expirePasswords } from './auth/expire-passwords.ts';
import { describeHeld, holdDue } from './backups/hold-due.ts';
import { restoreBackup } from './backups/restore-backup.ts';
import { BackupDamaged, type Contents, writeBackup } from './backups/write-backup.ts';
import { setAccountStatus } from './billing/set-account-status.ts';
import { renewLinkBases } from './broadcasts/links/keep-links.ts';
import { now } from './clock.ts';
import { readBucketConfig } from './config.ts';
import { asSystem, type Database, type Trx } from './db.ts';
import { takePayment } from './invoices/take-payment.ts';
import { enqueue } from './jobs.ts';
import { MigrationError } from './migrate.ts';
import { changeRcsAgent } from './numbers/change-rcs-agent.ts';
import { switchNumber } from './numbers/switch-number.ts';
import { bucketSettings } from './outside/file-store.ts';
import { type Bucket, BucketRefused, openBucket } from './outside/s3-bucket.ts';
import { uploadsPrefix } from './outside/s3-uploads.ts';
import type { Erasure } from './privacy/change-rows.ts';
import { describeErasure } from './privacy/describe-erasure.ts';
import { erasePerson } from './privacy/erase-person.ts';
import { exportAccount } from './privacy/export-account.ts';
import { ErasureRefused } from './privacy/find-person.ts';
import { removeBytes } from './privacy/remove-bytes.ts';
import { switchCharges } from './purchases/hold-charges.ts';
import { explainDifference, listDifferences } from './purchases/payment-differences.ts';
import { recordEvents } from './record-events.ts';
import { recountFigures } from './reports/recount-figures.ts';
import { changeCarrier } from './sending/change-carrier.ts';
import { spreadDatabase } from './spread-database.ts';
import { replayRange } from './webhooks/replay-deliveries.ts';

/** The help of `npx muster` without a command. */
export const operatorUsage = `What the operator of an installation sets, account by account:

  npx muster accounts [words]                    lists accounts by number, name and owner
  npx muster features <account>                  shows an account’s feature flags
  npx muster feature <account> <flag> on|off     switches a flag for everybody in the account
  npx muster feature <account> <flag> on|off <username>    … or for one user
  npx muster api <account> on|off                allows API keys (IsApiAuthorized)
  npx muster voice <account> on|off              allows voice calls (Profile.VoiceAllowed)
  npx muster expire <account> [username]         signs everybody out, or one user; they choose a new password at sign-in
  npx muster group-code <account> <code>         sets the group code; - for none
  npx muster link-host <account> <host>          puts its short links on a host of its own; - for none
  npx muster offline <account> on|off            pays invoices by check or transfer (PaysInvoicesOffline)
  npx muster self-service <account> on|off       admins without a card create invoices (InvoiceSelfService)
  npx muster mms <account> on|off                charges a monthly plan for pictures (IsMonthlyMMSEnabled)
  npx muster partial-credits <account> on|off    a larger group costs less by the unused part of the month (PartialCreditsEnabled)
  npx muster text-limit <account> <n> [username] most characters of a text, 160 to 1600, of everybody or of one user
  npx muster status <account> active|suspended|closed|canceled    stops an account, or lets it go on (AccountStatusID)
  npx muster payment <account> <invoice> <dollars> <how>   records a payment: "Check 20117"
  npx muster refund <account> <charge> [dollars]           gives a card payment back, all of it or a part
  npx muster differences                         lists how the books differ from the card processor
  npx muster charges [on]                        whether automatic charges wait after a restore, or lets them go on
  npx muster explained <payment> <why>           takes a difference off that list
  npx muster carrier <phone>                     shows the carrier of a text number
  npx muster carrier <phone> <carrier> [second]  sets it: infobip, smpp or twilio; the second takes over while it is down
  npx muster rcs <phone> [agent]                 shows or sets whom a number at Twilio sends RCS through; - for none
  npx muster number <phone>                      shows what a text number may do
  npx muster number <phone> blocked|broadcasts|texts on|off    blocks it, or lets it send broadcasts or any texts
  npx muster figures <account>                   counts the daily figures again and names what differs
  npx muster figures <account> fix               … and puts them right
  npx muster replay <account> <webhook> <from> <to> [all]   posts webhooks again: what failed in that time, or all of it
  npx muster export <account> <file.zip>                    writes everything of an account into an archive
  npx muster erase <account> phone <phone> [all] [really]   erases a person; without "really" it only says what would go
  npx muster erase <account> person <PersonID> [really]

And of the installation as a whole:

  npx muster backup <folder>                     backs everything up into a new folder
  npx muster drill <folder>                      restores a backup into a database of its own, proves it and removes it
  npx muster restore <folder>                    restores a backup into the empty database of DATABASE_URL
  npx muster restored <moment>                   after a failover, or going back to a moment: holds what was due since
  npx muster spread                              prepares the database for Citus, once every process is of this version

<account> is its number. Flags: ${features.join(', ')}.`;

/** Shown to the operator instead of a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/** Runs one command and returns the lines to print. `say` gets those that can’t wait until it is done. */
export async function runOperator(
  database: Database,
  words: readonly string[],
  say: (sentence: string) => void = () => undefined,
): Promise<string[]> {
  const [command = '', first = '', ...rest] = words;
  if (command === 'figures') return checkFigures(database, first, rest);
  if (command === 'backup') return backUp(database, first);
  if (command === 'restore') return restore(database.url, first, dataDir());
  if (command === 'restored') return holdSince(database, first);
  if (command === 'spread') return spreadDatabase(database.url, say).catch(explainMigration);
  if (command === 'export') return exportEverything(database, first, rest);
  if (command === 'erase') return eraseSomebody(database, first, rest);
  return asSystem(database, async (trx) => {
    if (command === 'accounts') return listAccounts(trx, first);
    if (command === 'carrier')
      return changeCarrier(trx, [first, ...rest], (sentence) => new OperatorError(sentence));
    if (command === 'differences') return listDifferences(trx);
    if (command === 'charges') return switchCharges(trx, first);
    if (command === 'explained') return explainDifference(trx, first, rest.join(' '));
    if (command === 'rcs')
      return changeRcsAgent(trx, [first, ...rest], (sentence) => new OperatorError(sentence));
    if (command === 'number')
      return switchNumber(trx, [first, ...rest], (sentence) => new OperatorError(sentence));
    if (!commands.includes(command)) throw new OperatorError(operatorUsage);
    const { accountId, name } = await requireAccount(trx, first);
    const [second = '', third = '', fourth] = rest;
    switch (command) {
      case 'feature':
        return switchFeature(trx, { accountId, name }, [second, third, fourth]);
      case 'api':
        await setAccountFlags(trx, accountId, { is_api_authorized: readSwitch(second) });
        return [`${name}: API keys are ${second}.`];
      case 'voice':
        await setAccountFlags(trx, accountId, { voice_allowed: readSwitch(second) });
        return [`${name}: voice calls are ${second}.`];
      case 'expire':
        return expire(trx, { accountId, name }, second);
      case 'offline':
        await setAccountFlags(trx, accountId, { pays_invoices_offline: readSwitch(second) });
        return [`${name}: paying invoices by check or transfer is ${second}.`];
      case 'self-service':
        await setAccountFlags(trx, accountId, { invoice_self_service: readSwitch(second) });
        return [`${name}: self-service for invoices is ${second}.`];
      case 'mms':
        await setAccountFlags(trx, accountId, { is_monthly_mms_enabled: readSwitch(second) });
        return [`${name}: charges for pictures are ${second}.`];
      case 'partial-credits':
        await setAccountFlags(trx, accountId, { partial_credits_enabled: readSwitch(second) });
        return [`${name}: credit for the unused part of a month is ${second}.`];
      case 'text-limit':
        return limitTexts(trx, { accountId, name }, [second, third]);
      case 'status':
        return setAccountStatus(trx, { accountId, name }, second, (sentence) => new OperatorError(sentence));
      case 'payment':
        return recordPayment(trx, { accountId, name }, [second, third, rest.slice(2).join(' ')]);
      case 'refund':
        return refundCharge(trx, { accountId, name }, [second, third]);
      case 'replay':
        return replayWebhooks(trx, { accountId, name }, rest);
      case 'group-code':
        if (!/^[\w-]{1,50}$/.test(second))
          throw new OperatorError('A group code is letters, digits and dashes.');
        await setAccountFlags(trx, accountId, { group_code: second === '-' ? '' : second });
        return [`${name}: the group code is ${second === '-' ? 'none' : second}.`];
      case 'link-host': {
        const host = second.toLowerCase();
        const isHost = host.includes('.') && URL.parse(`https://${host}`)?.host === host;
        if (host !== '-' && !isHost) throw new OperatorError('A host is a name such as go.example.org.');
        await setAccountFlags(trx, accountId, { link_host: host === '-' ? null : host });
        await renewLinkBases(trx, accountId, publicUrl());
        return [`${name}: short links are on ${host === '-' ? 'the address of this installation' : host}.`];
      }
      default:
        return listFeatures(trx, accountId);
    }
  });
}

const commands = [
  ...['features', 'feature', 'api', 'voice', 'expire', 'group-code', 'link-host'],
  ...['offline', 'self-service', 'mms', 'partial-credits', 'text-limit', 'status'],
  ...['payment', 'refund', 'replay'],
];

async function expire(
  trx: Trx,
  { accountId, name }: { accountId: number; name: string },
  userName: string,
): Promise<string[]> {
  const userId = userName === '' ? undefined : await requireUser(trx, accountId, userName);
  const count = await expirePasswords(trx, accountId, userId);
  return [
    `${name}: ${count === 1 ? '1 user is' : `${count} users are`} signed out and asked for a new password at the next sign-in.`,
  ];
}

/** The shortest limit is one text of one segment. */
const shortestLimit = 160;

async function limitTexts(
  trx: Trx,
  { accountId, name }: { accountId: number; name: string },
  [word, userName]: [word: string, userName: string],
): Promise<string[]> {
  const limit = /^\d{1,4}$/.test(word) ? Number(word) : 0;
  if (limit < shortestLimit || limit > longestText)
    throw new OperatorError(`Say a number from ${shortestLimit} to ${longestText}, not "${word}".`);
  const userId = userName === '' ? undefined : await requireUser(trx, accountId, userName);
  await setTextLimit(trx, { accountId, userId }, limit);
  const whose = userName === '' ? 'everybody' : userName;
  return [`${name}: texts of ${whose} have at most ${limit} characters.`];
}

function readCents(word: string): number {
  if (!/^\d{1,8}(\.\d\d)?$/.test(word) || Number(word) === 0)
    throw new OperatorError(`Say dollars like 12 or 12.50, not "${word}".`);
  return Math.round(Number(word) * 100);
}

/** A payment that came by check or transfer. */
async function recordPayment(
  trx: Trx,
  { accountId, name }: { accountId: number; name: string },
  [invoice, dollars, method]: [invoice: string, dollars: string, method: string],
): Promise<string[]> {
  const row = /^[1-9]\d{0,14}$/.test(invoice)
    ? await trx
        .selectFrom('invoices')
        .select(['invoice_id', 'total_cents', 'paid_cents', 'voided_at'])
        .where('account_id', '=', accountId)
        .where('invoice_id', '=', Number(invoice))
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new OperatorError(`${name} has no invoice "${invoice}".`);
  if (row.voided_at !== null) throw new OperatorError('This invoice was voided.');
  const due = row.total_cents - row.paid_cents;
  const amountCents = readCents(dollars);
  if (amountCents > due) throw new OperatorError(`Only ${formatCents(due)} is due.`);
  if (method === '') throw new OperatorError('Say how it was paid: "Check 20117".');
  await takePayment(trx, {
    ...{ accountId, invoiceId: row.invoice_id, amountCents, method: method.slice(0, 100), at: now() },
    isOperator: true,
    publicUrl: publicUrl(),
  });
  const left = due - amountCents;
  return [
    `${name}: ${formatCents(amountCents)} for invoice ${invoice} by ${method}. ${left === 0 ? 'It is paid.' : `${formatCents(left)} is due.`}`,
  ];
}

/** The worker makes the refund: this only requests it. */
async function refundCharge(
  trx: Trx,
  { accountId, name }: { accountId: number; name: string },
  [charge, dollars]: [charge: string, dollars: string],
): Promise<string[]> {
  const row = /^[1-9]\d{0,14}$/.test(charge)
    ? await trx
        .selectFrom('charges')
        .select(['charge_id', 'state', 'total_cents', 'refunded_cents', 'returned_cents'])
        .where('account_id', '=', accountId)
        .where('charge_id', '=', Number(charge))
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new OperatorError(`${name} has no charge "${charge}".`);
  const left = row.state === 'paid' ? row.total_cents - row.refunded_cents + row.returned_cents : 0;
  if (left === 0) throw new OperatorError('There is nothing to refund.');
  const amountCents = dollars === '' ? left : readCents(dollars);
  if (amountCents > left) throw new OperatorError(`Only ${formatCents(left)} can be refunded.`);
  await enqueue(trx, 'refund_charge', {
    ...{ accountId, chargeId: row.charge_id, amountCents },
    ...{ beforeCents: row.refunded_cents, returnedCents: row.returned_cents },
  });
  const changes = { amountCents };
  await recordEvents(trx, { accountId, isOperator: true }, [
    { kind: 'charge.refundAsked', id: row.charge_id, changes },
  ]);
  return [`${name}: ${formatCents(amountCents)} of charge ${charge} goes back to the card.`];
}

/** This installation's address, as the server reads it from its settings. */
function publicUrl(): string {
  return (process.env.PUBLIC_URL ?? `http://127.0.0.1:${process.env.PORT ?? '3000'}`).replace(/\/+$/, '');
}

/** Number of corrected figures that the log names; the count says how many there were. */
const mostFixesKept = 50;

/** Compares the daily figures of reports with the texts and calls that they were counted from. */
async function checkFigures(database: Database, word: string, [fix]: readonly string[]): Promise<string[]> {
  if (fix !== undefined && fix !== 'fix') throw new OperatorError(operatorUsage);
  const { accountId, name } = await asSystem(database, (trx) => requireAccount(trx, word));
  const { differences, since } = await recountFigures(database, accountId, { fixes: fix === 'fix' });
  if (fix === 'fix' && differences.length > 0) {
    const changes = Object.fromEntries(
      differences.slice(0, mostFixesKept).map(({ where, kept, counted }) => [where, [kept, counted]]),
    );
    await asSystem(database, (trx) =>
      recordEvents(trx, { accountId, isOperator: true }, [
        { kind: 'account.figuresFixed', id: accountId, count: differences.length, changes },
      ]),
    );
  }
  const left =
    since === undefined
      ? []
      : [`Days before ${since} are not counted: their texts were deleted from the archive.`];
  if (differences.length === 0)
    return [...left, `${name}: every figure is what the texts, calls and opt-outs say.`];
  return [
    ...left,
    ...differences.map(({ where, kept, counted }) => `${where}: kept ${kept}, counted ${counted}`),
    `${name}: ${differences.length} figures differ${fix === 'fix' ? ', and are right now' : ''}.`,
  ];
}

/** Delivers the events of a period to one of an account's webhooks again. */
async function replayWebhooks(
  trx: Trx,
  { accountId, name }: { accountId: number; name: string },
  [webhook = '', from = '', to = '', which = 'failed']: readonly string[],
): Promise<string[]> {
  if (!/^[1-9]\d{0,14}$/.test(webhook) || !['failed', 'all'].includes(which))
    throw new OperatorError(operatorUsage);
  try {
    const { Count } = await replayRange(
      trx,
      { accountId, isOperator: true },
      {
        params: { WebhookID: Number(webhook) },
        query: undefined,
        body: { From: readMoment(from), To: readMoment(to), OnlyFailed: which === 'failed' },
      },
    );
    return [`${name}: ${Count} deliveries are posted again.`];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new OperatorError(error.kind === 'notFound' ? `${name} has no webhook ${webhook}.` : error.message);
  }
}

async function backUp(database: Database, folder: string): Promise<string[]> {
  if (folder === '') throw new OperatorError(operatorUsage);
  const contents = await withBucket((bucket) =>
    writeBackup(database.url, { to: resolve(folder), dataDir: dataDir(), bucket }).catch(explainFolder),
  );
  return [
    `${describeBackup(contents)} are in ${folder}. "npx muster drill ${folder}" proves that they can be restored.`,
  ];
}

/** Restores into an empty database; without a data folder only to check that it is possible. */
export async function restore(databaseUrl: string, folder: string, filesTo?: string): Promise<string[]> {
  if (folder === '') throw new OperatorError(operatorUsage);
  const from = resolve(folder);
  const { contents, held } = await (filesTo === undefined
    ? restoreBackup(databaseUrl, { from })
    : withBucket((bucket) => restoreBackup(databaseUrl, { from, dataDir: filesTo, bucket }))
  ).catch(explainFolder);
  return [
    `${describeBackup(contents)} of ${contents.at} were restored. Every table has the rows and the sums that were backed up.`,
    ...(contents.isSpread ? ['The database is prepared for Citus, as the one was that was backed up.'] : []),
    ...describeHeld(held),
  ];
}

/** The database has older data in another way: nothing that was due since then may go out by itself. */
async function holdSince(database: Database, moment: string): Promise<string[]> {
  return describeHeld(await holdDue(database, new Date(readMoment(moment))));
}

function readMoment(word: string): string {
  const at = Date.parse(word);
  if (Number.isNaN(at)) throw new OperatorError(`Say a moment like 2026-11-18T06:00Z, not "${word}".`);
  return new Date(at).toISOString();
}

function describeBackup({ tables, files }: Contents): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${tables.length} tables and ${files.length} files`;
}

function explainMigration(error: Error): never {
  throw error instanceof MigrationError ? new OperatorError(error.message) : error;
}

function explainFolder(error: Error & { syscall?: string; code?: string }): never {
  if (error instanceof BackupDamaged) throw new OperatorError(error.message);
  if (error.syscall !== undefined) throw new OperatorError(`The folder can’t be used: ${error.message}.`);
  throw error;
}

/** Works with the bucket of pictures and recordings, if one is used instead of the data folder. */
async function withBucket<T>(act: (bucket: Bucket | undefined) => Promise<T>): Promise<T> {
  const settings = bucketSettings(readBucketConfig(process.env));
  const bucket = settings && openBucket(settings);
  try {
    return await act(bucket);
  } catch (error) {
    if (error instanceof BucketRefused) throw new OperatorError(error.message);
    throw error;
  } finally {
    await bucket?.close();
  }
}

const dataDir = () => resolve(process.env.DATA_DIR ?? './.data');

async function exportEverything(
  database: Database,
  word: string,
  [file]: readonly string[],
): Promise<string[]> {
  if (file === undefined || !file.endsWith('.zip')) throw new OperatorError(operatorUsage);
  const { accountId, name } = await asSystem(database, (trx) => requireAccount(trx, word));
  const { tables, files, missing } = await withBucket((bucket) =>
    exportAccount(database, accountId, { to: resolve(file), dataDir: dataDir(), bucket }),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    throw new OperatorError(`${file} can’t be written (${error.code}): nothing was exported.`);
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `${name}: ${rows} rows of ${tables.length} tables and ${files} files are in ${file}.`,
    ...missing.map((path) => `${path} is not where files are kept.`),
  ];
}

/** Permanently. Without "really" it is a dry run. */
async function eraseSomebody(
  database: Database,
  word: string,
  [kind, who = '', ...more]: readonly string[],
): Promise<string[]> {
  const really = more.includes('really');
  const wanted = kind === 'phone' ? { phone: who } : { personId: Number(who) };
  const isKnown = more.every((each) => each === 'really' || (each === 'all' && kind === 'phone'));
  if (!isKnown || (kind !== 'phone' && !(kind === 'person' && /^[1-9]\d{0,14}$/.test(who))))
    throw new OperatorError(operatorUsage);
  const { accountId } = await asSystem(database, (trx) => requireAccount(trx, word));
  try {
    const erasure = await erasePerson(database, accountId, wanted, { really, all: more.includes('all') });
    if (!really) return describeErasure(erasure, { really, files: 0 });
    const { files, left } = await removeFiles(erasure);
    return [...describeErasure(erasure, { really, files }), ...left];
  } catch (error) {
    if (error instanceof ErasureRefused) throw new OperatorError(error.message);
    throw error;
  }
}

/**
 * The rows are deleted already: files that can't be removed with them are listed, for an operator to remove.
 */
async function removeFiles(erasure: Erasure): Promise<{ files: number; left: string[] }> {
  try {
    return {
      files: await withBucket((bucket) => removeBytes(erasure, { dataDir: dataDir(), bucket })),
      left: [],
    };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const left = [
      ...erasure.pictures.map((hash) => `Delete what begins with ${hash} from the bucket by hand.`),
      ...erasure.uploads.map((key) => `Delete ${uploadsPrefix}${key} from the bucket by hand.`),
    ];
    return { files: 0, left: [error.message, ...left] };
  }
}

async function switchFeature(
  trx: Trx,
  account: { accountId: number; name: string },
  [flag, isOn, userName]: [flag: string, isOn: string, userName: string | undefined],
): Promise<string[]> {
  const feature = features.find((one) => one.toLowerCase() === flag.toLowerCase());
  if (feature === undefined) {
    throw new OperatorError(`There is no flag "${flag}". There are ${features.join(', ')}.`);
  }
  const userId = userName === undefined ? undefined : await requireUser(trx, account.accountId, userName);
  await setFeature(trx, { accountId: account.accountId, userId }, feature, readSwitch(isOn));
  return [`${account.name}${userName === undefined ? '' : `, ${userName}`}: ${feature} is ${isOn}.`];
}

function readSwitch(word: string): boolean {
  if (word !== 'on' && word !== 'off') throw new OperatorError(`Say on or off, not "${word}".`);
  return word === 'on';
}

async function requireAccount(trx: Trx, word: string): Promise<{ accountId: number; name: string }> {
  const account = /^[1-9]\d{0,14}$/.test(word)
    ? await trx
        .selectFrom('accounts')
        .select(['account_id as accountId', 'company_name as name'])
        .where('account_id', '=', Number(word))
        .executeTakeFirst()
    : undefined;
  if (account === undefined) {
    throw new OperatorError(`There is no account "${word}". "npx muster accounts" lists them.`);
  }
  return account;
}

async function requireUser(trx: Trx, accountId: number, userName: string): Promise<number> {
  const user = await trx
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where(sql`lower(user_name)`, '=', userName.toLowerCase())
    .executeTakeFirst();
  if (user === undefined) throw new OperatorError(`There is no user "${userName}" in this account.`);
  return user.user_id;
}

async function listAccounts(trx: Trx, words: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select a.account_id || '  ' || a.company_name || coalesce('  (' || (
      select string_agg(u.user_name, ', ' order by u.user_id) from users u
      where u.account_id = a.account_id and u.role = 'owner' and u.is_active) || ')', '') as line
    from accounts a
    where strpos(lower(a.company_name), ${words.toLowerCase()}) > 0
    order by a.account_id limit 200`.execute(trx);
  return rows.length === 0 ? ['There is no such account.'] : rows.map(({ line }) => line);
}

async function listFeatures(trx: Trx, accountId: number): Promise<string[]> {
  const { features: on } = await trx
    .selectFrom('accounts')
    .select('features')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const users = await trx
    .selectFrom('users')
    .select(['user_name', 'features'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`cardinality(features) > 0`)
    .orderBy('user_name')
    .execute();
  return [
    ...features.map((feature) => `${on.includes(feature) ? 'on ' : 'off'}  ${feature}`),
    ...users.map((user) => `only ${user.user_name}: ${user.features.join(', ')}`),
  ];
}
