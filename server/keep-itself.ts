import { sql } from 'kysely';

/**
 * Part of a statement that keeps by itself the tables that triggers keep for processes of the version before. All triggers
 * of the statement then do nothing. They run at its end, so this may be anywhere in it. The next statement of the
 * transaction has another time, and its triggers run (keeps_itself in the migrations).
 */
export const keepsItself = sql`set_config('app.keeps_itself', statement_timestamp()::text, true)`;
