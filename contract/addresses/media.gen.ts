// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['media'];

export const uploadImage = {"method":"POST","path":"/media/image/:FileName","allow":"usePictures","uploadBytes":5242880} as unknown as Calls['uploadImage'];
export const classifyMedia = {"method":"PUT","path":"/media/:MediaID","allow":"usePictures"} as unknown as Calls['classifyMedia'];
