import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { ApiError } from '../../api.ts';
import { createDraftKeeper, type DraftPatch } from './draft-keeper.ts';

/** A server that saves what it is given, or fails as often as it is told to. */
function server() {
  const row: Record<string, unknown> = { DraftBroadcastID: 7 };
  const calls: { body: DraftPatch; key?: string }[] = [];
  const failures: Error[] = [];
  const answer = async (body: DraftPatch, key?: string) => {
    calls.push({ body, ...(key === undefined ? {} : { key }) });
    const failure = failures.shift();
    if (failure) throw failure;
    Object.assign(row, body);
    return { ...row } as unknown as DraftBroadcast;
  };
  return {
    row,
    calls,
    failures,
    around: {
      create: answer,
      update: (_: number, body: DraftPatch) => answer(body),
      onKept: () => undefined,
    },
  };
}

const unreachable = () => new TypeError('Failed to fetch');
function refused(status: number, Message: string) {
  return new ApiError({
    status,
    statusText: '',
    url: '/draft-broadcasts/7',
    method: 'PUT',
    body: { ErrorCode: 1, Message, Errors: [{ Field: 'BroadcastName', Message }] },
  });
}

describe('saving a draft', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('collects changes while typing and saves them once typing pauses', async () => {
    const { around, calls, row } = server();
    const keeper = createDraftKeeper(7, around);
    keeper.save({ BroadcastName: 'Pic' });
    await vi.advanceTimersByTimeAsync(300);
    keeper.save({ BroadcastName: 'Picture day' });
    keeper.save({ PerMinute: 50 });
    expect(keeper.state().unsaved).toEqual({ BroadcastName: 'Picture day', PerMinute: 50 });
    expect(keeper.isKept()).toBe(false);
    await vi.advanceTimersByTimeAsync(700);
    expect(calls).toEqual([{ body: { BroadcastName: 'Picture day', PerMinute: 50 } }]);
    expect(row).toMatchObject({ BroadcastName: 'Picture day', PerMinute: 50 });
    expect(keeper.state()).toMatchObject({ unsaved: {}, isSaving: false, error: undefined });
    expect(keeper.isKept()).toBe(true);
  });

  test('the first change creates the draft; what is typed meanwhile is saved as a change to it', async () => {
    const { around, calls } = server();
    const keeper = createDraftKeeper(undefined, around);
    keeper.save({ BroadcastName: 'A' });
    const kept = keeper.flush();
    keeper.save({ BroadcastName: 'AB' });
    expect(keeper.state().unsaved).toEqual({ BroadcastName: 'AB' });
    expect(await kept).toBe(true);
    expect(keeper.state().draftId).toBe(7);
    expect(calls.map(({ body }) => body)).toEqual([{ BroadcastName: 'A' }, { BroadcastName: 'AB' }]);
  });

  test('a draft whose creation got no reply is requested with the same key; changes follow', async () => {
    const { around, calls, failures, row } = server();
    failures.push(unreachable());
    const keeper = createDraftKeeper(undefined, around);
    keeper.save({ BroadcastName: 'A' });
    expect(await keeper.flush()).toBe(false);
    keeper.save({ BroadcastName: 'AB' });
    expect(await keeper.flush()).toBe(true);
    const [first, second, third] = calls;
    expect(second).toEqual(first);
    expect(third?.body).toEqual({ BroadcastName: 'AB' });
    expect(row.BroadcastName).toBe('AB');
  });

  test('a failed save says so, keeps what was typed and retries automatically', async () => {
    const { around, failures, row } = server();
    failures.push(unreachable(), unreachable());
    const keeper = createDraftKeeper(7, around);
    keeper.save({ TextMessage: 'Hello' });
    expect(await keeper.flush()).toBe(false);
    expect(keeper.state()).toMatchObject({
      unsaved: { TextMessage: 'Hello' },
      error: 'There was an error updating your draft broadcast.',
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(row.TextMessage).toBe('Hello');
    expect(keeper.state()).toMatchObject({ unsaved: {}, error: undefined });
  });

  test('a refused save is not retried until something changes', async () => {
    const { around, calls, failures, row } = server();
    failures.push(refused(422, 'Broadcast Name must be at most 50 characters'));
    const keeper = createDraftKeeper(7, around);
    keeper.save({ BroadcastName: 'x'.repeat(51) });
    expect(await keeper.flush()).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
    expect(keeper.state().error).toBe('Broadcast Name must be at most 50 characters');
    keeper.save({ BroadcastName: 'x' });
    await vi.advanceTimersByTimeAsync(700);
    expect(row.BroadcastName).toBe('x');
    expect(keeper.state().error).toBeUndefined();
  });

  test('pictures are shown as given, not as they are sent', async () => {
    const { around, calls } = server();
    const keeper = createDraftKeeper(7, around);
    const picture = { mediaId: 3 } as DraftBroadcast['Media'][number];
    keeper.save({ Media: [{ MediaID: 3 }] }, { Media: [picture] });
    expect(keeper.state().unsaved).toEqual({ Media: [picture] });
    await keeper.flush();
    expect(calls[0]?.body).toEqual({ Media: [{ MediaID: 3 }] });
  });
});
