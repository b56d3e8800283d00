// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['replies'];

export const listAutoReplies = {"method":"GET","path":"/autoreplies","allow":"seeTextNumbers"} as unknown as Calls['listAutoReplies'];
export const addAutoReply = {"method":"POST","path":"/autoreplies","allow":"manageAutoReplies","takesIdempotencyKey":true} as unknown as Calls['addAutoReply'];
export const updateAutoReply = {"method":"PUT","path":"/autoreplies/:AutoReplyID","allow":"manageAutoReplies"} as unknown as Calls['updateAutoReply'];
export const deleteAutoReply = {"method":"DELETE","path":"/autoreplies/:AutoReplyID","allow":"manageAutoReplies"} as unknown as Calls['deleteAutoReply'];
export const listAutoRepliesOfNumber = {"method":"GET","path":"/textnumbers/:TextNumberID/autoreplies","allow":"seeTextNumbers"} as unknown as Calls['listAutoRepliesOfNumber'];
export const listKeywords = {"method":"GET","path":"/keywords","allow":"seeTextNumbers"} as unknown as Calls['listKeywords'];
export const addKeyword = {"method":"POST","path":"/keywords","allow":"manageAutoReplies","takesIdempotencyKey":true} as unknown as Calls['addKeyword'];
export const updateKeyword = {"method":"PUT","path":"/keywords/:KeywordID","allow":"manageAutoReplies"} as unknown as Calls['updateKeyword'];
export const deleteKeyword = {"method":"DELETE","path":"/keywords/:KeywordID","allow":"manageAutoReplies"} as unknown as Calls['deleteKeyword'];
