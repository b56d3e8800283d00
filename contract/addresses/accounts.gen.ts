// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['accounts'];

export const getAccount = {"method":"GET","path":"/account","allow":"useMuster"} as unknown as Calls['getAccount'];
export const getUser = {"method":"GET","path":"/user","allow":"useMuster"} as unknown as Calls['getUser'];
export const updateAccount = {"method":"PUT","path":"/account","allow":"editAccountSettings"} as unknown as Calls['updateAccount'];
export const updateUser = {"method":"PUT","path":"/user","allow":"editOwnProfile"} as unknown as Calls['updateUser'];
export const setProfilePicture = {"method":"PUT","path":"/user/profilepicture","allow":"editOwnProfile","uploadBytes":5242880} as unknown as Calls['setProfilePicture'];
export const deleteProfilePicture = {"method":"DELETE","path":"/user/profilepicture","allow":"editOwnProfile"} as unknown as Calls['deleteProfilePicture'];
export const validateUserName = {"method":"POST","path":"/validation/username","allow":"editOwnProfile"} as unknown as Calls['validateUserName'];
export const validateEmail = {"method":"POST","path":"/validation/email","allow":"editOwnProfile"} as unknown as Calls['validateEmail'];
export const listAccountUsers = {"method":"GET","path":"/account/users","allow":"seeColleagues"} as unknown as Calls['listAccountUsers'];
export const getUsersSummary = {"method":"GET","path":"/account/users/summary","allow":"manageUsers"} as unknown as Calls['getUsersSummary'];
export const getAccountUser = {"method":"GET","path":"/account/users/:UserID","allow":"manageUsers"} as unknown as Calls['getAccountUser'];
export const addAccountUser = {"method":"POST","path":"/account/users","allow":"manageUsers","takesIdempotencyKey":true} as unknown as Calls['addAccountUser'];
export const updateAccountUser = {"method":"PUT","path":"/account/users/:UserID","allow":"manageUsers"} as unknown as Calls['updateAccountUser'];
export const updateAccountUsers = {"method":"PUT","path":"/account/users","allow":"manageUsers"} as unknown as Calls['updateAccountUsers'];
export const listScheduledOfUsers = {"method":"POST","path":"/account/users/scheduled","allow":"manageUsers"} as unknown as Calls['listScheduledOfUsers'];
export const resendInvitation = {"method":"POST","path":"/account/users/:UserID/invitation","allow":"manageUsers"} as unknown as Calls['resendInvitation'];
export const withdrawInvitation = {"method":"DELETE","path":"/account/users/:UserID/invitation","allow":"manageUsers"} as unknown as Calls['withdrawInvitation'];
export const getInvitation = {"method":"GET","path":"/invitation/:Token","allow":"public"} as unknown as Calls['getInvitation'];
export const acceptInvitation = {"method":"POST","path":"/invitation/:Token","allow":"public"} as unknown as Calls['acceptInvitation'];
