import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { features, getUser } from '../../contract/accounts.ts';
import type { CallDefinition } from '../../contract/call.ts';
import { prefixOf } from '../../contract/call-address.ts';
import { everyCall } from '../../contract/calls.ts';
import { errorBody } from '../../contract/error-body.ts';
import {
  type CapabilityName,
  capabilityNames,
  deniedFeature,
  ownersAndAdmins,
  type Role,
  type Who,
  whyNot,
} from '../../contract/permissions.ts';
import { accountStatuses, maySend } from '../../contract/states/account-status.ts';
import { asSystem } from '../db.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { findUserActor, toActor } from './load-actor.ts';
import { cannotSend } from './queries.ts';
import { listDenials, may, refuseUnless } from './refuse-unless.ts';

const roles: Role[] = ['owner', 'admin', 'user'];
const protectedCalls = everyCall.filter(({ call }) => call.allow !== 'public');
const capabilityOf = (call: CallDefinition) => call.allow as CapabilityName;
const hourMs = 3_600_000;

/** A person as described by their rows. */
interface Case {
  role: Role;
  flags: { roster: boolean; broadcasts: boolean; create: boolean };
  hasNumber: boolean;
  hasFeatures: boolean;
  statusId: number;
  endsIn: number | null;
  typeId: number;
  isFreeTrial: boolean;
}

function everyCase(): Case[] {
  const both = [false, true];
  const states = [
    ...Object.keys(accountStatuses).map((id) => ({ statusId: Number(id), endsIn: null as number | null })),
    { statusId: 8, endsIn: 24 },
    { statusId: 8, endsIn: -24 },
    { statusId: 0, endsIn: -24 },
  ];
  return roles.flatMap((role) =>
    both.flatMap((roster) =>
      both.flatMap((broadcasts) =>
        both.flatMap((create) =>
          both.flatMap((hasNumber) =>
            both.flatMap((hasFeatures) =>
              states.flatMap((state) =>
                [0, 1, 2, 3].flatMap((typeId) =>
                  both.map((isFreeTrial) => ({
                    ...{ role, flags: { roster, broadcasts, create }, hasNumber, hasFeatures },
                    ...{ ...state, typeId, isFreeTrial },
                  })),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

const endOf = ({ endsIn }: Case) => (endsIn === null ? null : new Date(Date.now() + endsIn * hourMs));
const featuresOf = ({ hasFeatures }: Case) => (hasFeatures ? [...features] : []);

/** The case as input to the capability table, with the specification's names. */
function whoOf(one: Case): Who {
  const isOwner = one.role === 'owner';
  const { roster, broadcasts, create } = one.flags;
  return {
    user: {
      IsMasterUser: isOwner,
      IsAccountAdmin: one.role === 'admin',
      IsActive: true,
      CanCreateBroadcast: isOwner || create,
      Permissions: {
        CanSeeAllBroadcasts: isOwner || broadcasts,
        CanSeeAllRoster: isOwner || roster,
        CanSeeGroupAudio: isOwner,
      },
      Features: featuresOf(one),
      HasTextNumberAssigned: one.hasNumber,
    },
    account: {
      AccountTypeID: one.typeId,
      IsFreeTrial: one.isFreeTrial,
      CountryID: 1,
      maySend: maySend(
        { AccountStatusID: one.statusId, SubscriptionEndDate: endOf(one)?.toISOString() ?? null },
        Date.now(),
      ),
      VoiceAllowed: true,
      IsApiAuthorized: false,
      InvoiceSelfService: false,
      hasCardOnFile: false,
      EmergenciesByEveryone: false,
    },
    hasRegisteredUsNumber: one.hasNumber,
  };
}

/** The case as the actor that the loader would build from its row. */
function actorOf(one: Case) {
  const isOwner = one.role === 'owner';
  return toActor(
    {
      ...{ accountId: 1, userId: 1, role: one.role, isActive: true, name: '', timeZone: 'UTC' },
      languageId: 1,
      canSeeAllRoster: isOwner || one.flags.roster,
      canSeeAllBroadcasts: isOwner || one.flags.broadcasts,
      canSeeGroupAudio: isOwner,
      canCreateBroadcast: isOwner || one.flags.create,
      hasCardOnFile: false,
      emergenciesByEveryone: false,
      features: featuresOf(one),
      textNumberIds: one.hasNumber ? [1] : [],
      registeredPhones: one.hasNumber ? ['14235550100'] : [],
      statusId: one.statusId,
      subscriptionEndAt: endOf(one),
      typeId: one.typeId,
      isFreeTrial: one.isFreeTrial,
      ...{ countryId: 1, voiceAllowed: true, isApiAuthorized: false, invoiceSelfService: false },
    },
    { sessionId: 0, address: '' },
  );
}

describe('every call, by the capability table', () => {
  it('needs a capability in the table', () => {
    for (const { name, call } of protectedCalls) {
      expect([name, capabilityNames.includes(capabilityOf(call))]).toEqual([name, true]);
    }
  });

  it('is refused with the message of its capability for every role, flag, status and type', () => {
    const used = [...new Set(protectedCalls.map(({ call }) => capabilityOf(call)))];
    let denied = 0;
    for (const one of everyCase()) {
      const actor = actorOf(one);
      const who = whoOf(one);
      for (const name of used) {
        const expected = whyNot(name, who);
        let said: string | undefined;
        try {
          refuseUnless(actor, name);
        } catch (error) {
          said = (error as Error).message;
        }
        if (said !== expected) expect([name, one, said]).toEqual([name, one, expected]);
        if (expected !== undefined) denied += 1;
      }
    }
    expect(denied).toBeGreaterThan(10_000);
  });
});

describe('every call, through the server', () => {
  const phone = '14235550100';
  let app: TestApp;
  let account: BuiltAccount;
  let users: Record<string, BuiltUser>;

  beforeAll(async () => {
    app = await testApp({ [phone]: 'infobip' });
    account = await buildAccount(app, { numbers: { [phone]: 'infobip' } });
    const textNumberIds = Object.values(account.numbers);
    const { accountId } = account;
    users = {
      owner: account.owner,
      admin: await buildUser(app, accountId, 'admin', { canSeeAllRoster: true }),
      'admin who sees only their own': await buildUser(app, accountId, 'admin'),
      user: await buildUser(app, accountId, 'user', { textNumberIds, canSeeAllRoster: true }),
      'user without a text number': await buildUser(app, accountId, 'user'),
      'user who may not broadcast': await buildUser(app, accountId, 'user', { textNumberIds }),
    };
    await sql`update users set can_create_broadcast = false
      where user_id = ${users['user who may not broadcast']?.userId}`.execute(app.database.system);
  });

  const setAccount = (columns: string) =>
    sql`update accounts set ${sql.raw(columns)} where account_id = ${account.accountId}`.execute(
      app.database.system,
    );

  /**
   * Uses ids that don't exist and an empty body: a request that passes the access check is refused for those.
   */
  async function knock(call: CallDefinition, user: BuiltUser) {
    const path = call.path.replace(/:\w+/g, '999999999');
    const type = call.uploadBytes === undefined ? 'application/json' : 'application/octet-stream';
    const reply = await fetch(`${app.url}${prefixOf(call)}${path}`, {
      method: call.method,
      headers: { cookie: user.cookie, ...(call.method === 'GET' ? {} : { 'content-type': type }) },
      ...(call.method === 'GET' ? {} : { body: call.uploadBytes === undefined ? '{}' : 'x' }),
    });
    const text = await reply.text();
    return {
      status: reply.status,
      said: reply.status === 403 ? errorBody.parse(JSON.parse(text)).Message : undefined,
    };
  }

  it.each([
    ['an active account', 'status_id = 0, type_id = 0, is_free_trial = false', /./],
    ['a suspended monthly account', 'status_id = 1, type_id = 1, is_free_trial = false', /^(owner|user)$/],
    ['a free trial', 'status_id = 0, type_id = 0, is_free_trial = true', /^admin$/],
  ])('of %s', async (_, columns, who) => {
    await setAccount(columns);
    for (const [kind, user] of Object.entries(users)) {
      if (!who.test(kind)) continue;
      const actor = await asSystem(app.database, (trx) => findUserActor(trx, account.accountId, user.userId));
      if (actor === undefined) throw new Error('the user is gone');
      const denials = listDenials(actor);
      const answers = await Promise.all(
        protectedCalls.map(async ({ name, call }) => ({
          name,
          call,
          ...(await knock(call, user)),
        })),
      );
      for (const { name, call, status, said } of answers) {
        // The call also checks a second capability, the one for a free trial.
        if (name === 'getUnregisteredNumber') continue;
        expect([kind, name, status, said]).toEqual([
          kind,
          name,
          denials[capabilityOf(call)] === undefined ? expect.any(Number) : 403,
          denials[capabilityOf(call)],
        ]);
      }
    }
    await setAccount('status_id = 0, type_id = 0, is_free_trial = false');
  });

  it('tells its user what they may not do', async () => {
    const { body } = await app.call(getUser, {}, users.user ?? account.owner);
    expect(body.Denied.deleteFromEveryone).toBe(deniedFeature);
    expect(body.Denied.editAccountSettings).toBe(ownersAndAdmins);
    expect(body.Denied.replyInConversation).toBeUndefined();
    const owner = await app.call(getUser, {}, account.owner);
    expect(owner.body.Denied.deleteFromEveryone).toBeUndefined();
  });

  it('says in SQL what the contract says: which accounts may send', async () => {
    for (const id of Object.keys(accountStatuses)) {
      for (const end of [null, new Date(Date.now() + hourMs), new Date(Date.now() - hourMs)]) {
        await setAccount(
          `status_id = ${id}, subscription_end_at = ${end ? `'${end.toISOString()}'` : 'null'}`,
        );
        const { rows } = await sql<{ cannot: boolean }>`
          select ${cannotSend} as cannot from accounts a where account_id = ${account.accountId}`.execute(
          app.database.system,
        );
        const state = { AccountStatusID: Number(id), SubscriptionEndDate: end?.toISOString() ?? null };
        expect([id, end, rows[0]?.cannot]).toEqual([id, end, !maySend(state, Date.now())]);
        const actor = await asSystem(app.database, (trx) =>
          findUserActor(trx, account.accountId, account.owner.userId),
        );
        expect(actor && may(actor, 'replyInConversation')).toBe(maySend(state, Date.now()));
      }
    }
    await setAccount('status_id = 0, subscription_end_at = null');
  });
});
