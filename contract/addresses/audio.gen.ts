// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['audio'];

export const listAudio = {"method":"GET","path":"/audio","allow":"useMessageLibrary"} as unknown as Calls['listAudio'];
export const getAudioSummary = {"method":"GET","path":"/audio/summary","allow":"useMessageLibrary"} as unknown as Calls['getAudioSummary'];
export const listVoices = {"method":"GET","path":"/audio/voices","allow":"useMessageLibrary"} as unknown as Calls['listVoices'];
export const getAudio = {"method":"GET","path":"/audio/:AudioID","allow":"useMessageLibrary"} as unknown as Calls['getAudio'];
export const uploadAudio = {"method":"POST","path":"/audio/file/:FileName","allow":"useMessageLibrary","uploadBytes":52428800} as unknown as Calls['uploadAudio'];
export const updateAudio = {"method":"PUT","path":"/audio/:AudioID","allow":"useMessageLibrary"} as unknown as Calls['updateAudio'];
export const updateAudioSelection = {"method":"PUT","path":"/audio","allow":"useMessageLibrary"} as unknown as Calls['updateAudioSelection'];
export const deleteAudio = {"method":"DELETE","path":"/audio","allow":"useMessageLibrary"} as unknown as Calls['deleteAudio'];
export const undoAudio = {"method":"POST","path":"/audio/undo/:UndoID","allow":"useMessageLibrary"} as unknown as Calls['undoAudio'];
export const downloadAudio = {"method":"GET","path":"/audio/:AudioID.mp3","allow":"useMessageLibrary"} as unknown as Calls['downloadAudio'];
export const downloadAudioSelection = {"method":"GET","path":"/audio/selection.zip","allow":"useMessageLibrary"} as unknown as Calls['downloadAudioSelection'];
export const previewSpeech = {"method":"POST","path":"/audio/speech/preview","allow":"useMessageLibrary"} as unknown as Calls['previewSpeech'];
export const createSpeech = {"method":"POST","path":"/audio/speech","allow":"useMessageLibrary"} as unknown as Calls['createSpeech'];
