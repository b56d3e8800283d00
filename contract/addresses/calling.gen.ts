// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['calling'];

export const listTransferNumbers = {"method":"GET","path":"/transfernumbers","allow":"seeBroadcasts"} as unknown as Calls['listTransferNumbers'];
export const addTransferNumber = {"method":"POST","path":"/transfernumbers","allow":"editVoiceSettings","takesIdempotencyKey":true} as unknown as Calls['addTransferNumber'];
export const updateTransferNumber = {"method":"PUT","path":"/transfernumbers/:TransferNumberID","allow":"editVoiceSettings"} as unknown as Calls['updateTransferNumber'];
export const deleteTransferNumber = {"method":"DELETE","path":"/transfernumbers/:TransferNumberID","allow":"editVoiceSettings"} as unknown as Calls['deleteTransferNumber'];
export const listCallerIds = {"method":"GET","path":"/callerids","allow":"seeBroadcasts"} as unknown as Calls['listCallerIds'];
export const addCallerId = {"method":"POST","path":"/callerids","allow":"editVoiceSettings"} as unknown as Calls['addCallerId'];
export const deleteCallerId = {"method":"DELETE","path":"/callerids/:CallerIDID","allow":"editVoiceSettings"} as unknown as Calls['deleteCallerId'];
export const setBroadcastAudio = {"method":"PUT","path":"/broadcasts/:BroadcastID/Audio","allow":"manageBroadcasts"} as unknown as Calls['setBroadcastAudio'];
export const setBroadcastAudioVM = {"method":"PUT","path":"/broadcasts/:BroadcastID/AudioVM","allow":"manageBroadcasts"} as unknown as Calls['setBroadcastAudioVM'];
export const uploadBroadcastAudio = {"method":"POST","path":"/broadcasts/:BroadcastID/Audio","allow":"manageBroadcasts","uploadBytes":52428800} as unknown as Calls['uploadBroadcastAudio'];
export const uploadBroadcastAudioVM = {"method":"POST","path":"/broadcasts/:BroadcastID/AudioVM","allow":"manageBroadcasts","uploadBytes":52428800} as unknown as Calls['uploadBroadcastAudioVM'];
export const createRecording = {"method":"POST","path":"/recordings","allow":"createVoiceBroadcast"} as unknown as Calls['createRecording'];
export const getRecording = {"method":"GET","path":"/recordings/:RecordingID","allow":"seeBroadcasts"} as unknown as Calls['getRecording'];
export const listRecordings = {"method":"GET","path":"/broadcasts/:BroadcastID/recordings","allow":"seeBroadcasts"} as unknown as Calls['listRecordings'];
export const callForRecording = {"method":"POST","path":"/recordings/:RecordingID/call","allow":"createVoiceBroadcast"} as unknown as Calls['callForRecording'];
export const testCall = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/call","allow":"createVoiceBroadcast","takesIdempotencyKey":true} as unknown as Calls['testCall'];
export const getIvrAuthorization = {"method":"GET","path":"/ivrauthorization/:PhoneLaunchID","allow":"createVoiceBroadcast"} as unknown as Calls['getIvrAuthorization'];
export const getPhoneLaunch = {"method":"GET","path":"/phonelaunch","allow":"createVoiceBroadcast"} as unknown as Calls['getPhoneLaunch'];
export const setPhoneLaunch = {"method":"PUT","path":"/phonelaunch","allow":"createVoiceBroadcast"} as unknown as Calls['setPhoneLaunch'];
export const deletePhoneLaunch = {"method":"DELETE","path":"/phonelaunch","allow":"createVoiceBroadcast"} as unknown as Calls['deletePhoneLaunch'];
