// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['numbers'];

export const listTextNumbers = {"method":"GET","path":"/textnumbers","allow":"seeTextNumbers"} as unknown as Calls['listTextNumbers'];
export const getTextNumber = {"method":"GET","path":"/textnumbers/:TextNumberID","allow":"seeTextNumbers"} as unknown as Calls['getTextNumber'];
export const updateTextNumber = {"method":"PUT","path":"/textnumbers/:TextNumberID","allow":"setOwnNotifications"} as unknown as Calls['updateTextNumber'];
export const updateTextNumbers = {"method":"PUT","path":"/textnumbers","allow":"setOwnNotifications"} as unknown as Calls['updateTextNumbers'];
export const listTextNumberUsage = {"method":"GET","path":"/textnumbers/usage","allow":"seeTextActivity"} as unknown as Calls['listTextNumberUsage'];
