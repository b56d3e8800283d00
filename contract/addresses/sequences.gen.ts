// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['sequences'];

export const beginSequence = {"method":"POST","path":"/sequences","allow":"createDripCampaign","takesIdempotencyKey":true} as unknown as Calls['beginSequence'];
export const listSequences = {"method":"GET","path":"/sequences","allow":"seeBroadcasts"} as unknown as Calls['listSequences'];
export const getSequence = {"method":"GET","path":"/sequences/:SequenceID","allow":"seeBroadcasts"} as unknown as Calls['getSequence'];
export const updateSequence = {"method":"PUT","path":"/sequences/:SequenceID","allow":"createDripCampaign"} as unknown as Calls['updateSequence'];
export const addSequenceStep = {"method":"POST","path":"/sequences/:SequenceID/steps","allow":"createDripCampaign","takesIdempotencyKey":true} as unknown as Calls['addSequenceStep'];
export const previewSequenceStep = {"method":"POST","path":"/sequences/:SequenceID/steps/preview","allow":"createDripCampaign"} as unknown as Calls['previewSequenceStep'];
export const deleteSequence = {"method":"DELETE","path":"/sequences/:SequenceID","allow":"manageBroadcasts"} as unknown as Calls['deleteSequence'];
export const calculateSequenceCredits = {"method":"POST","path":"/sequences/calculateCredits","allow":"createDripCampaign"} as unknown as Calls['calculateSequenceCredits'];
export const createSequence = {"method":"POST","path":"/sequences/createsequence","allow":"createDripCampaign","takesIdempotencyKey":true} as unknown as Calls['createSequence'];
export const pauseSequence = {"method":"POST","path":"/sequences/:SequenceID/pause","allow":"manageBroadcasts"} as unknown as Calls['pauseSequence'];
export const resumeSequence = {"method":"POST","path":"/sequences/:SequenceID/resume","allow":"createDripCampaign"} as unknown as Calls['resumeSequence'];
export const cancelSequence = {"method":"POST","path":"/sequences/:SequenceID/cancel","allow":"manageBroadcasts"} as unknown as Calls['cancelSequence'];
export const listSequenceRecipients = {"method":"GET","path":"/sequences/:SequenceID/recipients","allow":"seeBroadcasts"} as unknown as Calls['listSequenceRecipients'];
export const stopSequenceRecipient = {"method":"DELETE","path":"/sequences/:SequenceID/recipients/:RecipientID","allow":"manageBroadcasts"} as unknown as Calls['stopSequenceRecipient'];
export const getSequenceCourse = {"method":"GET","path":"/sequences/:SequenceID/course","allow":"seeBroadcasts"} as unknown as Calls['getSequenceCourse'];
