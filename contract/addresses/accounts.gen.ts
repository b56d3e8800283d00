// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['accounts'];

export const getAccount = {"method":"GET","path":"/account","allow":"useMuster"} as unknown as Calls['getAccount'];
export const getUser = {"method":"GET","path":"/user","allow":"useMuster"} as unknown as Calls['getUser'];
export const updateAccount = {"method":"PUT","path":"/account","allow":"editAccountSettings"} as unknown as Calls['updateAccount'];
export const updateUser = {"method":"PUT","path":"/user","allow":"editOwnProfile"} as unknown as Calls['updateUser'];
export const listAccountUsers = {"method":"GET","path":"/account/users","allow":"seeColleagues"} as unknown as Calls['listAccountUsers'];
