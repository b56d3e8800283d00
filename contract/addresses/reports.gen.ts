// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['reports'];

export const getTextActivity = {"method":"GET","path":"/reports/text-activity","allow":"seeTextActivity"} as unknown as Calls['getTextActivity'];
export const downloadTextActivity = {"method":"GET","path":"/reports/text-activity.csv","allow":"seeTextActivity"} as unknown as Calls['downloadTextActivity'];
export const listPhoneHistory = {"method":"GET","path":"/phonenumbers/:Number/history","allow":"seePhoneNumberHistory"} as unknown as Calls['listPhoneHistory'];
export const downloadPhoneHistory = {"method":"GET","path":"/phonenumbers/:Number/history.csv","allow":"seePhoneNumberHistory"} as unknown as Calls['downloadPhoneHistory'];
