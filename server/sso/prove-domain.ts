import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { proveDomain as definition } from '../../contract/sso.ts';
import { createToken, findToken, takeToken } from '../auth/create-token.ts';
import { refuseOver } from '../auth/limit-attempts.ts';
import { networkOf } from '../auth/rules.ts';
import { type Config, isSignUpOpen } from '../config.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App, Visitor } from '../serve.ts';
import { findProvider } from './queries.ts';

/** Two organizations that claim the same domain at once: the second waits here. */
const domainsLock = 7_316_060;
/** Only the administrators of a domain read these mailboxes: nobody else can get such an address. */
const mailboxes = ['postmaster', 'admin'];
const expired = 'This link has expired or was used already. Ask for a new one in the security settings.';

/** With open sign-up, a domain has to be verified; otherwise the operator knows every organization. */
export function needsProof(config: Config): boolean {
  return isSignUpOpen(config);
}

/** Asks the administrators of each domain whether it belongs to the organization. */
export async function mailProofs(
  trx: Trx,
  config: Config,
  { accountId, userId }: Pick<Actor, 'accountId' | 'userId'>,
  domains: readonly string[],
): Promise<void> {
  const CompanyName = await companyOf(trx, accountId);
  for (const domain of domains) {
    const token = await createToken({ system: trx }, 'ssoDomain', { accountId, userId, data: { domain } });
    const mail = composeMail({
      subject: `May ${CompanyName} use ${domain} to sign in?`,
      from: CompanyName,
      title: `Does ${domain} belong to ${CompanyName}?`,
      paragraphs: [
        `${CompanyName} wants people with an email at ${domain} to sign in to Muster with its own directory. Muster asks you because you run ${domain}.`,
        'The link works once, for a week.',
      ],
      action: { label: 'See who asks', url: `${config.PUBLIC_URL}/prove-domain?token=${token}` },
      foot: 'If you don’t know them, ignore this email: without your answer nothing happens.',
    });
    const to = mailboxes.map((mailbox) => `${mailbox}@${domain}`);
    await queueMails(
      trx,
      to.map((address) => ({ ...mail, accountId, userId: null, kind: 'prove-domain', to: address })),
    );
  }
}

/** Sends the same mails again. */
export async function mailProofsAgain({ database, config }: App, actor: Actor) {
  await refuseOver(database, 'domain proofs', String(actor.accountId), { most: 5, hours: 24 });
  return asSystem(database, async (trx) => {
    const provider = await findProvider(trx, actor.accountId);
    if (provider === undefined) throw new Refusal('notFound');
    const Domains = provider.domains.filter((domain) => !provider.provedDomains.includes(domain));
    await mailProofs(trx, config, actor, Domains);
    await recordEvents(trx, actor, [{ kind: 'sso.proofMailed', changes: { Domains: Domains.join(', ') } }]);
    return { Domains };
  });
}

/** Programs that scan mails open links: only a person who agrees spends it. */
export async function proveDomain(visitor: Visitor, { body }: Input<typeof definition>) {
  const { database, address } = visitor;
  await refuseOver(database, 'domain proof network', networkOf(address), { most: 60, hours: 1 });
  return asSystem(database, async (trx) => {
    const take = body.Agree ? takeToken : findToken;
    const token = await take({ system: trx }, 'ssoDomain', body.Token);
    const domain = String(token?.data.domain ?? '');
    const provider = token && (await findProvider(trx, token.accountId));
    if (!provider?.domains.includes(domain)) throw new Refusal('refused', expired);
    const { accountId } = provider;
    if (body.Agree && !provider.provedDomains.includes(domain)) {
      await refuseTakenDomains(trx, accountId, [domain]);
      await sql`update sso_providers set proved_domains = array_append(proved_domains, ${domain})
        where account_id = ${accountId}`.execute(trx);
      await recordEvents(trx, { accountId, address }, [
        { kind: 'sso.domainProved', changes: { Domain: domain } },
      ]);
      await notify(trx, accountId, [{ type: 'settings.changed' }]);
    }
    return { Domain: domain, CompanyName: await companyOf(trx, accountId) };
  });
}

/** A domain leads to one directory. A claimed but unverified one blocks nobody. */
export async function refuseTakenDomains(trx: Trx, accountId: number, domains: string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${domainsLock})`.execute(trx);
  const { rows } = await sql<{ domain: string }>`
    select domain from sso_providers, unnest(proved_domains) as domain
    where account_id <> ${accountId} and domain = any(${domains}::text[]) limit 1`.execute(trx);
  const [taken] = rows;
  if (taken !== undefined)
    throw refuseField('Domains', `Another organization here uses ${taken.domain} already.`);
}

async function companyOf(trx: Trx | Database['system'], accountId: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select company_name as name from accounts where account_id = ${accountId}`.execute(trx);
  return rows[0]?.name ?? '';
}
