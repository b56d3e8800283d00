/**
 * An operator's command for a user who lost their second factor and whom nobody else can help, the account owner above
 * all: DATABASE_URL=… node server/auth/factors/reset-factors.ts <username>
 */
import { primaryOf } from '../../database-hosts.ts';
import { asSystem, openDatabase } from '../../db.ts';
import { clearFactors } from './remove-factor.ts';

async function resetByName(url: string, userName: string): Promise<string> {
  const database = openDatabase((await primaryOf(url)) ?? url, { connections: 4 });
  try {
    return await asSystem(database, async (trx) => {
      const user = await trx
        .selectFrom('users')
        .select(['account_id', 'user_id', 'user_name'])
        .where((where) => where(where.fn('lower', ['user_name']), '=', userName.toLowerCase()))
        .executeTakeFirst();
      if (user === undefined) return `There is no user ${userName}.`;
      await clearFactors(trx, { accountId: user.account_id, isOperator: true }, user.user_id);
      return `${user.user_name} has no second factor any more and is signed out everywhere.`;
    });
  } finally {
    await database.close();
  }
}

if (import.meta.main) {
  const [userName] = process.argv.slice(2);
  const url = process.env.DATABASE_URL;
  if (userName === undefined || !url) {
    console.error('Give a username, and the database in DATABASE_URL.');
    process.exitCode = 64;
  } else console.log(await resetByName(url, userName));
}
