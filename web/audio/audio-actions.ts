import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import {
  deleteAudio,
  downloadAudioSelection,
  getAudioSummary,
  listAudio,
  undoAudio,
  updateAudio,
  updateAudioSelection,
} from '../../contract/addresses/audio.gen.ts';
import type { Audio } from '../../contract/audio.ts';
import { prefixOf, queryOf } from '../../contract/call-address.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { shownMessage } from '../api.ts';
import { stopPlaying } from '../pieces/audio/player.ts';
import { useCall } from '../queries/calls.ts';
import { useUndoableChange } from '../queries/undoable-change.ts';
import { countOf } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import type { filterOf } from './audio-view.ts';

export function freshenAudio(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: [listAudio.path] });
  void client.invalidateQueries({ queryKey: [getAudioSummary.path] });
}

const recordings = (count: number) => countOf(count, 'recording was', 'recordings were');
const failed = 'There was an error updating your recordings.';

/** Actions on the recordings of a list. */
export function useAudioActions(query: ReturnType<typeof filterOf>, onDone: () => void) {
  const client = useQueryClient();
  const update = useCall(updateAudio);
  const updateMany = useCall(updateAudioSelection);
  const remove = useCall(deleteAudio);
  const { isBusy, change } = useUndoableChange({
    undo: undoAudio,
    thing: 'recordings',
    freshen: freshenAudio,
    onDone,
  });

  const download = (href: string) => {
    const link = document.createElement('a');
    link.href = href;
    // A download, so that an error never replaces the page.
    link.download = '';
    link.click();
  };

  return {
    isBusy,
    star: (Selection: SelectionOfIds, Favorite: boolean) =>
      change(() => updateMany.mutateAsync({ query, body: { Selection, Update: { Favorite } } }), {
        done: (count) => (Favorite ? `${recordings(count)} starred.` : `${recordings(count)} unstarred.`),
        failed,
      }),
    share: (Selection: SelectionOfIds, Shared: boolean) =>
      change(() => updateMany.mutateAsync({ query, body: { Selection, Update: { Shared } } }), {
        done: (count) =>
          Shared
            ? `${recordings(count)} shared with your team.`
            : `${recordings(count)} no longer shared with your team.`,
        failed,
      }),
    /** `name` is set for a single recording. */
    delete: (Selection: SelectionOfIds, name?: string) => {
      stopPlaying();
      return change(
        () => remove.mutateAsync({ query: name === undefined ? query : {}, body: { Selection } }),
        {
          done: (count) => (name === undefined ? `${recordings(count)} deleted.` : `“${name}” was deleted.`),
          failed: 'There was an error deleting your recordings.',
        },
      );
    },
    toggleStar: async ({ AudioID, Favorite }: Audio) => {
      try {
        await update.mutateAsync({ params: { AudioID }, body: { Favorite: !Favorite } });
      } catch (error) {
        showSnackbar(shownMessage(error, failed));
      } finally {
        freshenAudio(client);
      }
    },
    download: ({ Uri }: Audio) => download(`${Uri}.mp3?Include=archived`),
    downloadMany: ({ Type, Items }: SelectionOfIds) => {
      const { path } = downloadAudioSelection;
      const asked = queryOf({ ...query, select: Type, items: Items.join(',') });
      download(`${prefixOf(downloadAudioSelection)}${path}${asked}`);
    },
  };
}
export type AudioActions = ReturnType<typeof useAudioActions>;
