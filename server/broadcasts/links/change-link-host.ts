import { createHmac } from 'node:crypto';
import type { Input } from '../../../contract/call.ts';
import { refuseField } from '../../../contract/errors.ts';
import type { updateLinkHost as definition } from '../../../contract/link-host.ts';
import { setAccountFlags } from '../../accounts/set-flags.ts';
import { refuseOver } from '../../auth/limit-attempts.ts';
import { getSecret } from '../../auth/queries.ts';
import { asAccount, type Database, type Trx } from '../../db.ts';
import type { SourceLine } from '../../outside/source-line.ts';
import type { Actor, App } from '../../serve.ts';
import { renewLinkBases } from './keep-links.ts';

/** The path below /l/ that is requested instead of a link. Too short to be a link. */
export const proofToken = 'here';

/** This installation's reply there, under every host that leads to it, which nobody else can give. */
export async function linkProof(database: Database): Promise<string> {
  return createHmac('sha256', await getSecret(database))
    .update('short links are answered here')
    .digest('hex');
}

export async function getLinkHost(trx: Trx, { accountId }: Actor, publicUrl: string) {
  const { link_host } = await trx
    .selectFrom('accounts')
    .select('link_host')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { LinkHost: link_host ?? '', OwnHost: new URL(publicUrl).host };
}

/** Broken short links would be sent to thousands: a host is accepted only after it answers as we do. */
export async function updateLinkHost(
  { database, config }: App,
  line: SourceLine,
  actor: Actor,
  { body: { LinkHost } }: Input<typeof definition>,
) {
  const { accountId } = actor;
  if (LinkHost !== '') {
    await refuseOver(database, 'link host', String(accountId), { most: 20, hours: 1 });
    await requireLeadsHere(database, line, LinkHost);
  }
  await asAccount(database, accountId, async (trx) => {
    await setAccountFlags(trx, accountId, { link_host: LinkHost === '' ? null : LinkHost }, actor);
    await renewLinkBases(trx, accountId, config.PUBLIC_URL);
  });
  return { LinkHost };
}

async function requireLeadsHere(database: Database, line: SourceLine, host: string): Promise<void> {
  const scheme = line.isAllowed(host) ? 'http' : 'https';
  const proof = await linkProof(database);
  let answer = '';
  try {
    const reply = await line.fetch(`${scheme}://${host}/l/${proofToken}`);
    // Other content there may be long.
    for await (const chunk of reply.body ?? []) {
      answer += Buffer.from(chunk).toString();
      if (answer.length > proof.length) break;
    }
  } catch {
    throw refuseField(
      'LinkHost',
      `We can’t reach https://${host}. Set up its DNS entry and certificate first.`,
    );
  }
  if (answer !== proof)
    throw refuseField('LinkHost', `https://${host} answers, but it doesn’t lead to Muster.`);
}
