// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['emergencies'];

export const getEmergency = {"method":"GET","path":"/emergency","allow":"startEmergency"} as unknown as Calls['getEmergency'];
export const previewEmergency = {"method":"POST","path":"/emergency/preview","allow":"startEmergency"} as unknown as Calls['previewEmergency'];
export const startEmergency = {"method":"POST","path":"/emergency","allow":"startEmergency"} as unknown as Calls['startEmergency'];
export const getEmergencySettings = {"method":"GET","path":"/emergency/settings","allow":"editAccountSettings"} as unknown as Calls['getEmergencySettings'];
export const updateEmergencySettings = {"method":"PUT","path":"/emergency/settings","allow":"editAccountSettings"} as unknown as Calls['updateEmergencySettings'];
export const addEmergencyMessage = {"method":"POST","path":"/emergency/messages","allow":"editAccountSettings","takesIdempotencyKey":true} as unknown as Calls['addEmergencyMessage'];
export const updateEmergencyMessage = {"method":"PUT","path":"/emergency/messages/:EmergencyMessageID","allow":"editAccountSettings"} as unknown as Calls['updateEmergencyMessage'];
export const deleteEmergencyMessage = {"method":"DELETE","path":"/emergency/messages/:EmergencyMessageID","allow":"editAccountSettings"} as unknown as Calls['deleteEmergencyMessage'];
