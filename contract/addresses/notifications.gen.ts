// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['notifications'];

export const listNotifications = {"method":"GET","path":"/notifications","allow":"useMuster"} as unknown as Calls['listNotifications'];
export const addPushToken = {"method":"POST","path":"/notifications/push/token","allow":"editOwnProfile"} as unknown as Calls['addPushToken'];
export const deletePushToken = {"method":"DELETE","path":"/notifications/push/token/:PushTokenID","allow":"editOwnProfile"} as unknown as Calls['deletePushToken'];
