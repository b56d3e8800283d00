import type { QueryClient } from '@tanstack/react-query';
import {
  deleteTemplates,
  getTemplateSummary,
  listTemplates,
  undoTemplates,
  updateTemplateSelection,
} from '../../contract/addresses/templates.gen.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { useCall } from '../queries/calls.ts';
import { useUndoableChange } from '../queries/undoable-change.ts';
import { countOf } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import type { textFilter } from './text-view.ts';

export function freshenTexts(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: [listTemplates.path] });
  void client.invalidateQueries({ queryKey: [getTemplateSummary.path] });
}

const texts = (count: number) => countOf(count, say('text was', 'saved'), say('texts were', 'saved'));
const failed = 'There was an error updating your saved texts.';

/** Actions on the saved texts of a list. */
export function useTextActions(query: ReturnType<typeof textFilter>, onDone: () => void) {
  const update = useCall(updateTemplateSelection);
  const remove = useCall(deleteTemplates);
  const { isBusy, change } = useUndoableChange({
    undo: undoTemplates,
    thing: 'saved texts',
    freshen: freshenTexts,
    onDone,
  });
  return {
    isBusy,
    star: (Selection: SelectionOfIds, IsFavorite: boolean) =>
      change(() => update.mutateAsync({ query, body: { Selection, Update: { IsFavorite } } }), {
        done: (count) => (IsFavorite ? `${texts(count)} starred.` : `${texts(count)} unstarred.`),
        failed,
      }),
    share: (Selection: SelectionOfIds, IsShared: boolean) =>
      change(() => update.mutateAsync({ query, body: { Selection, Update: { IsShared } } }), {
        done: (count) =>
          IsShared
            ? `${texts(count)} shared with your team.`
            : `${texts(count)} no longer shared with your team.`,
        failed,
      }),
    /** `name` is set for a single text. */
    delete: (Selection: SelectionOfIds, name?: string) =>
      change(() => remove.mutateAsync({ query: name === undefined ? query : {}, body: { Selection } }), {
        done: (count) => (name === undefined ? `${texts(count)} deleted.` : `“${name}” was deleted.`),
        failed: 'There was an error deleting your saved texts.',
      }),
  };
}
export type TextActions = ReturnType<typeof useTextActions>;
