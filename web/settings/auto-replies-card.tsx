import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { deleteAutoReply, listAutoReplies } from '../../contract/addresses/replies.gen.ts';
import type { AutoReply } from '../../contract/auto-replies.ts';
import { pageSizes } from '../../contract/reference/paging.ts';
import { sampleAutoReply } from '../../contract/reference/sample-auto-reply.ts';
import { isNotFound, shownMessage } from '../api.ts';
import { namesOf } from '../pieces/numbers/text-number-names.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useAccount } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { Pager } from '../ui/pager.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { say } from '../ui/say.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { AccountReplyDialog } from './account-reply-dialog.tsx';
import { AutoReplyDialog } from './auto-reply-dialog.tsx';
import { whenWords } from './auto-reply-form.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { Row, RowButton, Rows } from './rows.tsx';
import { useAllNumbers } from './settings-queries.ts';

type Open = 'account' | 'reply' | 'delete' | undefined;

/** The organization's auto reply first, then those of text numbers, which override it. */
export function AutoRepliesCard() {
  const account = useAccount();
  const numbers = useAllNumbers();
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open>();
  const [chosen, setChosen] = useState<AutoReply>();
  const { data, isError, refetch } = useCallQuery(
    listAutoReplies,
    { query: { page, pagesize: pageSizes.autoReplies } },
    { keepPrevious: true },
  );
  // The last one on a page was deleted.
  const isBeyond = data !== undefined && data.Items.length === 0 && page > 1;
  useEffect(() => {
    if (isBeyond) setPage((before) => before - 1);
  }, [isBeyond]);
  const show = (next: Open, reply?: AutoReply) => {
    setChosen(reply);
    setOpen(next);
  };
  if (!account) return null;
  return (
    <Card
      title="Auto replies"
      action={
        <>
          {data?.Size === 0 && (
            <Button size="small" variant="text" onClick={() => show('reply', sampleAutoReply)}>
              Use a sample
            </Button>
          )}
          <Button size="small" startIcon={<Plus aria-hidden />} onClick={() => show('reply')}>
            New auto reply
          </Button>
        </>
      }
    >
      <Rows label="Auto replies">
        <Row
          actions={
            <RowButton label="Edit the organization’s auto reply" tip="Edit" onPress={() => show('account')}>
              <Pencil />
            </RowButton>
          }
        >
          <ReplyWords
            name={data?.Items.length ? 'All other text numbers' : 'All text numbers'}
            when={account.IsAutoReplyOn ? say('Always') : say('Never')}
            message={account.AutoReplyMessage}
          />
        </Row>
        {data?.Items.map((reply) => {
          const name = namesOf(reply.TextNumberIDs, numbers);
          return (
            <Row
              key={reply.ID}
              actions={
                <>
                  <RowButton
                    label={`Edit the auto reply for ${name}`}
                    tip="Edit"
                    onPress={() => show('reply', reply)}
                  >
                    <Pencil />
                  </RowButton>
                  <RowButton
                    label={`Delete the auto reply for ${name}`}
                    tip="Delete"
                    onPress={() => show('delete', reply)}
                  >
                    <Trash2 />
                  </RowButton>
                </>
              }
            >
              <ReplyWords name={name} when={whenWords(reply)} message={reply.Message} />
            </Row>
          );
        })}
      </Rows>
      {isError && !data && (
        <Box sx={{ px: 2.5, pb: 2.5 }}>
          <RetryNotice onRetry={() => void refetch()}>
            There was an error getting your auto replies.
          </RetryNotice>
        </Box>
      )}
      {!data && !isError && (
        <SkeletonRows rows={1} rowHeight={64} isTwoLine label="Loading your auto replies" />
      )}
      {data && <Pager page={page} pageSize={pageSizes.autoReplies} size={data.Size} onPage={setPage} />}
      <AccountReplyDialog isOpen={open === 'account'} account={account} onClose={() => setOpen(undefined)} />
      <AutoReplyDialog isOpen={open === 'reply'} reply={chosen} onClose={() => setOpen(undefined)} />
      <DeleteReply isOpen={open === 'delete'} reply={chosen} onClose={() => setOpen(undefined)} />
    </Card>
  );
}

function ReplyWords({ name, when, message }: { name: string; when: string; message: string }) {
  return (
    <>
      <Typography sx={{ fontWeight: 550 }}>{name}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {when}
      </Typography>
      {message !== '' && (
        <Typography variant="body2" sx={{ mt: '4px', whiteSpace: 'pre-wrap' }}>
          {message}
        </Typography>
      )}
    </>
  );
}

interface DeleteReplyProps {
  isOpen: boolean;
  reply: AutoReply | undefined;
  onClose: () => void;
}

function DeleteReply({ isOpen, reply, onClose }: DeleteReplyProps) {
  const client = useQueryClient();
  const { mutate, isPending } = useCall(deleteAutoReply, {
    onError: (error) => {
      // Someone else already deleted it, which is what the user wanted.
      if (!isNotFound(error))
        showSnackbar(shownMessage(error, 'There was an error deleting your auto reply.'));
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [listAutoReplies.path] });
      onClose();
    },
  });
  return (
    <DeleteDialog
      isOpen={isOpen}
      title="Delete this auto reply?"
      isBusy={isPending}
      onDelete={() => reply && mutate({ params: { AutoReplyID: reply.ID } })}
      onClose={onClose}
    >
      Its text numbers will use the organization’s auto reply. This can’t be undone.
    </DeleteDialog>
  );
}
