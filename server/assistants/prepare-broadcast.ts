import type { CallAs } from './call-as.ts';

type Json = Record<string, unknown>;

interface Prepared {
  name: string;
  message: string;
  group_ids: number[];
  contact_ids: number[];
  text_number_id?: number | undefined;
  start?: string | undefined;
}

/** Creates a draft with its recipients and its text. Sending is left to a person: no call here sends. */
export async function prepareBroadcast(call: CallAs, given: Prepared): Promise<Json> {
  const { DraftBroadcastID } = await call('POST', '/draft-broadcasts', {
    BroadcastName: given.name,
    BroadcastType: 'GroupSMS',
    TextMessage: given.message,
    ...(given.text_number_id === undefined ? {} : { TextNumberID: given.text_number_id }),
    ...(given.start === undefined ? {} : { startOption: 'START_LATER', StartDate: given.start }),
  });
  const id = Number(DraftBroadcastID);
  if (given.group_ids.length > 0) {
    await call('POST', `/draft-broadcasts/${id}/lists`, {
      Selection: { Type: 'Selected', Items: given.group_ids.map((ListID) => ({ ListID })) },
    });
  }
  if (given.contact_ids.length > 0) {
    await call('POST', `/lists/0/contacts/todraftbroadcast/${id}`, {
      Selection: { Type: 'Selected', Items: given.contact_ids },
    });
  }
  const draft = await call('GET', `/draft-broadcasts/${id}`);
  if (draft.RosterChangedSinceLastMerge === true && draft.IsAdding !== true)
    await call('POST', `/draft-broadcasts/${id}/templatemerges`);
  return {
    ...(await readPreflight(call, id)),
    ...(draft.IsAdding === true
      ? { note: 'People are still being added. Call preview_broadcast in a minute for the final counts.' }
      : {}),
  };
}

/** Summary of the broadcast that would go out, with the page where a person can send it. */
export async function readPreflight(call: CallAs, id: number): Promise<Json> {
  const plan = await call('GET', `/draft-broadcasts/${id}/preflight`);
  const { Total, Good, LeftOut } = plan.Summary as { Total: number; Good: number; LeftOut: unknown };
  const { Credits, Balance, After } = plan.Cost as Json;
  return {
    draft_id: id,
    link: `${call.publicUrl}/broadcasts/create?draft=${id}`,
    is_sent: false,
    next_step: 'A person opens the link, checks the draft and presses Send.',
    recipients: Good,
    added: Total,
    left_out: LeftOut,
    credits: Credits,
    balance: Balance,
    balance_after: After,
    starts: plan.Starts,
    ends: plan.Ends,
    sample: plan.Sample,
    checks: plan.Checks,
    problem: (plan.Refusal as { Message: string } | null)?.Message ?? null,
  };
}
