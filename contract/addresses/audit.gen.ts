// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['audit'];

export const listAuditLog = {"method":"GET","path":"/account/auditlog","allow":"seeAuditLog"} as unknown as Calls['listAuditLog'];
export const downloadAuditLog = {"method":"GET","path":"/account/auditlog/csv","allow":"seeAuditLog"} as unknown as Calls['downloadAuditLog'];
