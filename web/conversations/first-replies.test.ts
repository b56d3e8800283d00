import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { getAccount } from '../../contract/accounts.ts';
import { pathOf, prefixOf, queryOf } from '../../contract/call-address.ts';
import { listConversations } from '../../contract/conversations.ts';
import { pageLengths } from '../queries/long-list.ts';
import { listQueryOf } from './inbox-view.ts';

it('public/first-replies.js asks for exactly what the inbox asks for', () => {
  const script = readFileSync(join(import.meta.dirname, '../public/first-replies.js'), 'utf8');
  const list = { ...listQueryOf({}), pagesize: pageLengths.first };
  expect([...script.matchAll(/ask\('([^']+)'\)/g)].map(([, url]) => url)).toEqual([
    `${prefixOf(getAccount)}${pathOf(getAccount)}${queryOf({ include: 'currentuser' })}`,
    `${prefixOf(listConversations)}${pathOf(listConversations)}${queryOf(list)}`,
  ]);
});
