import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { MessageSquareQuote, Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { deleteKeyword, listKeywords } from '../../contract/addresses/replies.gen.ts';
import type { Keyword } from '../../contract/keywords.ts';
import { defaultPageSize } from '../../contract/reference/paging.ts';
import { isNotFound, shownMessage } from '../api.ts';
import { namesOf } from '../pieces/numbers/text-number-names.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatCount } from '../ui/format.ts';
import { Pager } from '../ui/pager.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { KeywordDialog } from './keyword-dialog.tsx';
import { Row, RowButton, Rows } from './rows.tsx';
import { useAllNumbers } from './settings-queries.ts';

type Open = 'keyword' | 'delete' | undefined;

/** Keywords that people text to get a reply or to join a group. */
export function KeywordsCard() {
  const numbers = useAllNumbers();
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open>();
  const [chosen, setChosen] = useState<Keyword>();
  const { data, isError, refetch } = useCallQuery(
    listKeywords,
    { query: { page, pagesize: defaultPageSize } },
    { keepPrevious: true },
  );
  // The last one on a page was deleted.
  const isBeyond = data !== undefined && data.Items.length === 0 && page > 1;
  useEffect(() => {
    if (isBeyond) setPage((before) => before - 1);
  }, [isBeyond]);
  const show = (next: Open, keyword?: Keyword) => {
    setChosen(keyword);
    setOpen(next);
  };
  return (
    <Card
      title="Keywords"
      count={data && data.Size > 0 ? formatCount(data.Size) : undefined}
      action={
        <Button size="small" startIcon={<Plus aria-hidden />} onClick={() => show('keyword')}>
          New keyword
        </Button>
      }
    >
      {isError && !data && (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={() => void refetch()}>There was an error getting your keywords.</RetryNotice>
        </Box>
      )}
      {!data && !isError && <SkeletonRows rows={2} rowHeight={64} isTwoLine label="Loading your keywords" />}
      {data?.Size === 0 && (
        <EmptyState icon={MessageSquareQuote} title="No keywords yet">
          People text a word such as BUS to one of your numbers. They get your reply and join a group.
        </EmptyState>
      )}
      {data && data.Items.length > 0 && (
        <Rows label="Keywords">
          {data.Items.map((keyword) => (
            <Row
              key={keyword.ID}
              actions={
                <>
                  <RowButton
                    label={`Edit ${keyword.Keyword}`}
                    tip="Edit"
                    onPress={() => show('keyword', keyword)}
                  >
                    <Pencil />
                  </RowButton>
                  <RowButton
                    label={`Delete ${keyword.Keyword}`}
                    tip="Delete"
                    onPress={() => show('delete', keyword)}
                  >
                    <Trash2 />
                  </RowButton>
                </>
              }
            >
              <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
                <Typography component="span" sx={{ fontWeight: 550 }}>
                  {keyword.Keyword}
                </Typography>
                {!keyword.Active && <Chip label="Inactive" />}
              </Box>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {namesOf(keyword.TextNumberIDs, numbers)}
                {keyword.ListID !== null && ` · adds to ${keyword.ListName}`}
              </Typography>
              <Typography variant="body2" sx={{ mt: '4px', whiteSpace: 'pre-wrap' }}>
                {keyword.Message}
              </Typography>
            </Row>
          ))}
        </Rows>
      )}
      {data && <Pager page={page} pageSize={defaultPageSize} size={data.Size} onPage={setPage} />}
      <KeywordDialog isOpen={open === 'keyword'} keyword={chosen} onClose={() => setOpen(undefined)} />
      <DeleteKeyword isOpen={open === 'delete'} keyword={chosen} onClose={() => setOpen(undefined)} />
    </Card>
  );
}

interface DeleteKeywordProps {
  isOpen: boolean;
  keyword: Keyword | undefined;
  onClose: () => void;
}

function DeleteKeyword({ isOpen, keyword, onClose }: DeleteKeywordProps) {
  const client = useQueryClient();
  const { mutate, isPending } = useCall(deleteKeyword, {
    onError: (error) => {
      // Someone else already deleted it, which is what the user wanted.
      if (!isNotFound(error)) showSnackbar(shownMessage(error, 'There was an error deleting your keyword.'));
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [listKeywords.path] });
      onClose();
    },
  });
  return (
    <DeleteDialog
      isOpen={isOpen}
      title={`Delete ${keyword?.Keyword ?? ''}?`}
      isBusy={isPending}
      onDelete={() => keyword && mutate({ params: { KeywordID: keyword.ID } })}
      onClose={onClose}
    >
      People who text this word will no longer get a reply. The group and its members stay. This can’t be
      undone.
    </DeleteDialog>
  );
}
