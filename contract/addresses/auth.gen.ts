// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['auth'];

export const login = {"method":"POST","path":"/login","allow":"public"} as unknown as Calls['login'];
export const replaceExpiredPassword = {"method":"POST","path":"/login/expired","allow":"public"} as unknown as Calls['replaceExpiredPassword'];
export const logout = {"method":"GET","path":"/logout","allow":"public"} as unknown as Calls['logout'];
export const getSetup = {"method":"GET","path":"/setup","allow":"public"} as unknown as Calls['getSetup'];
export const createOrganization = {"method":"POST","path":"/setup","allow":"public"} as unknown as Calls['createOrganization'];
export const listSessions = {"method":"GET","path":"/user/sessions","allow":"editOwnProfile"} as unknown as Calls['listSessions'];
export const revokeSession = {"method":"DELETE","path":"/user/sessions/:SessionID","allow":"editOwnProfile"} as unknown as Calls['revokeSession'];
export const revokeOtherSessions = {"method":"DELETE","path":"/user/sessions","allow":"editOwnProfile"} as unknown as Calls['revokeOtherSessions'];
export const getSocketKey = {"method":"GET","path":"/websocket/key","allow":"useMuster"} as unknown as Calls['getSocketKey'];
export const forgotPassword = {"method":"POST","path":"/password/forgot","allow":"public"} as unknown as Calls['forgotPassword'];
export const resetPassword = {"method":"POST","path":"/password/reset","allow":"public"} as unknown as Calls['resetPassword'];
export const changePassword = {"method":"POST","path":"/user/passwordchange","allow":"editOwnProfile"} as unknown as Calls['changePassword'];
export const resetSession = {"method":"POST","path":"/passport/reset-session","allow":"public"} as unknown as Calls['resetSession'];
