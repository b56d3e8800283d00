import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { finishSso as finishDefinition, startSso as startDefinition } from '../../contract/sso.ts';
import { deviceName } from '../../contract/text/device-name.ts';
import { admitInvited } from '../accounts/users/accept-invitation.ts';
import { admitUser, setRoleByDirectory } from '../accounts/users/admit-user.ts';
import { againWhenNameTaken } from '../accounts/users/refuse-taken.ts';
import { createToken, takeToken } from '../auth/create-token.ts';
import { openSession } from '../auth/open-session.ts';
import { readCookie } from '../auth/rules.ts';
import type { Config } from '../config.ts';
import { asSystem, type Trx } from '../db.ts';
import { DirectoryError } from '../outside/directory-line.ts';
import type { Visitor } from '../serve.ts';
import { type Claims, type Protocols, problemIn } from './ask-directory.ts';
import { domainOf, findProvider, findProviderOfDomain, type ProviderRow } from './queries.ts';

const unknownDomain =
  'No organization here uses single sign-on for that email. Sign in with your username and password.';
const startAgain = 'This sign-in is over. Start again from the sign-in page.';

/** Only the browser that started may finish: another person's finished sign-in can't be slipped into it. */
function browserCookie(config: Config): string {
  return config.isTls ? '__Host-muster-sso' : 'muster-sso';
}

export async function startSso(
  visitor: Visitor,
  { config, protocols }: { config: Config; protocols: Protocols },
  { body }: Input<typeof startDefinition>,
) {
  const { database } = visitor;
  const provider = await findProviderOfDomain(database, domainOf(body.Email));
  if (provider === undefined) throw new Refusal('refused', unknownDomain);
  const { url, kept } = await protocols.begin(provider, body.Email).catch(toRefusal);
  const token = await createToken(database, 'sso', {
    accountId: provider.accountId,
    data: { ...kept, protocol: provider.protocol, issuer: provider.issuer, isKept: body.KeepSignedIn },
  });
  // The token stays in the browser; the directory gets a state that reveals nothing.
  const attributes = [
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    'Max-Age=900',
    ...(config.isTls ? ['Secure'] : []),
  ];
  const cookie = `${browserCookie(config)}=${token}`;
  visitor.reply.header('set-cookie', [cookie, ...attributes].join('; '));
  return { Url: url };
}

export async function finishSso(
  visitor: Visitor,
  { config, protocols }: { config: Config; protocols: Protocols },
  { body }: Input<typeof finishDefinition>,
) {
  const { database, request } = visitor;
  const query = new URLSearchParams(body.Query.replace(/^\?/, ''));
  const problem = problemIn(query);
  if (problem !== undefined) throw new Refusal('refused', problem);
  const token = readCookie(request.headers.cookie, browserCookie(config)) ?? '';
  const begun = await takeToken(database, 'sso', token);
  if (begun === undefined) throw new Refusal('refused', startAgain);
  const provider = await findProvider(database.system, begun.accountId);
  const { data } = begun;
  // The settings were changed meanwhile.
  if (!provider?.isEnabled || provider.issuer !== data.issuer || provider.protocol !== data.protocol)
    throw new Refusal('refused', startAgain);
  const claims = await protocols.finish(provider, query, data).catch(toRefusal);
  if (claims === undefined) throw new Refusal('refused', startAgain);
  const userId = await againWhenNameTaken(() =>
    asSystem(database, (trx) => findOrAdmit(trx, visitor, provider, claims)),
  );
  const person = { account_id: provider.accountId, user_id: userId };
  // The directory has applied its own checks: no second factor of ours in addition.
  await openSession(visitor, config, person, { isKept: data.isKept === true, method: 'sso' });
  return { UserID: userId, AccountID: provider.accountId };
}

function toRefusal(error: unknown): never {
  if (error instanceof DirectoryError) throw new Refusal('refused', error.message);
  throw error;
}

/** Found by their id in the directory; the first time by their mail address, or created. */
async function findOrAdmit(
  trx: Trx,
  visitor: Visitor,
  provider: ProviderRow,
  claims: Claims,
): Promise<number> {
  const { accountId, issuer } = provider;
  // Two first sign-ins of one person at once: the second waits and finds the user that the first created.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${accountId} ${issuer} ${claims.sub}`}, 59))`.execute(
    trx,
  );
  const from = { address: visitor.address, agent: deviceName(visitor.device) };
  const role = roleByGroups(provider, claims);
  const known = await findKnown(trx, provider, claims);
  if (known !== undefined) {
    if (!known.isActive && !(await admitInvited(trx, visitor, { accountId, userId: known.userId })))
      throw new Refusal('refused', 'Your access to Muster was turned off. Ask your account owner.');
    if (role !== undefined) await setRoleByDirectory(trx, { accountId, userId: known.userId, ...from }, role);
    await remember(trx, provider, claims.sub, known.userId);
    return known.userId;
  }
  const email = requireEmail(provider, claims);
  if (!provider.createsUsers)
    throw new Refusal('refused', 'You don’t have access to Muster yet. Ask your account owner to add you.');
  const name = namesOf(claims, email);
  const userId = await admitUser(trx, {
    accountId,
    email,
    ...name,
    role: role ?? provider.defaultRole,
    ...from,
  });
  await remember(trx, provider, claims.sub, userId);
  return userId;
}

const unverified =
  'A user here has your email and hasn’t verified it. If it’s you, open the link in the email that we sent you; if not, ask your account owner.';

async function findKnown(trx: Trx, provider: ProviderRow, claims: Claims) {
  const { rows } = await sql<{ userId: number; isActive: boolean }>`
    select u.user_id as "userId", u.is_active as "isActive"
    from sso_identities i join users u on u.account_id = i.account_id and u.user_id = i.user_id
    where i.account_id = ${provider.accountId} and i.issuer = ${provider.issuer} and i.subject = ${claims.sub}`.execute(
    trx,
  );
  if (rows[0] !== undefined) return rows[0];
  const email = requireEmail(provider, claims);
  // A user who is linked to another person of the directory is not a match for this one.
  const { rows: byMail } = await sql<{ userId: number; isActive: boolean; isUnverified: boolean }>`
    select u.user_id as "userId", u.is_active as "isActive", u.needs_email_verification as "isUnverified" from users u
    where u.account_id = ${provider.accountId} and lower(u.email) = ${email.toLowerCase()}
      and not exists (
        select from sso_identities i
        where i.account_id = u.account_id and i.user_id = u.user_id and i.issuer = ${provider.issuer})
    order by u.is_active desc, u.user_id limit 1`.execute(trx);
  // Anybody can enter a colleague's address as their own: by matching it, the colleague would share their
  // user.
  if (byMail[0]?.isUnverified) throw new Refusal('refused', unverified);
  return byMail[0];
}

/** The address counts only if the directory confirms it and the account has its domain. */
function requireEmail(provider: ProviderRow, claims: Claims): string {
  const { email, email_verified: isVerified } = claims;
  if (typeof email !== 'string' || email === '' || isVerified === false)
    throw new Refusal('refused', 'Your organization’s sign-in service didn’t give a verified email for you.');
  if (!provider.provedDomains.includes(domainOf(email)))
    throw new Refusal('refused', 'Your email isn’t of a domain that your organization uses here.');
  return email;
}

function roleByGroups(
  { groupsClaim, groupRoles }: ProviderRow,
  claims: Claims,
): 'admin' | 'user' | undefined {
  if (groupRoles.length === 0 || groupsClaim === '') return undefined;
  const given = claims[groupsClaim];
  const groups = Array.isArray(given) ? given.map(String) : typeof given === 'string' ? [given] : [];
  return groupRoles.find(({ Group }) => groups.includes(Group))?.Role;
}

function namesOf(claims: Claims, email: string): { firstName: string; lastName: string } {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim().slice(0, 50) : '');
  const [first = '', ...rest] = text(claims.name).split(/\s+/);
  return {
    firstName: text(claims.given_name) || first || (email.split('@')[0] ?? '').slice(0, 50),
    lastName: text(claims.family_name) || rest.join(' '),
  };
}

async function remember(trx: Trx, provider: ProviderRow, subject: string, userId: number): Promise<void> {
  await sql`
    insert into sso_identities (account_id, user_id, issuer, subject)
    values (${provider.accountId}, ${userId}, ${provider.issuer}, ${subject})
    on conflict (account_id, issuer, subject) do update set last_used_at = now()`.execute(trx);
}
