import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bookmark, ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  createReportView,
  deleteReportView,
  listReportViews,
  updateReportView,
} from '../../contract/addresses/reports.gen.ts';
import { type ReportSchedule, reportViewForm } from '../../contract/forms/report-view.ts';
import type { ReportKind } from '../../contract/permissions.ts';
import type { ReportView } from '../../contract/reports.ts';
import { shownMessage } from '../api.ts';
import { callKey, useCall, useCallQuery } from '../queries/calls.ts';
import { Choice } from '../ui/choices.tsx';
import { DialogBody, DialogHead } from '../ui/dialog-parts.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { FormChoice, FormText } from '../ui/form-fields.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { useMenu } from '../ui/use-menu.ts';

const schedules: { value: ReportSchedule; label: string }[] = [
  { value: 'never', label: 'Don’t mail it' },
  { value: 'weekly', label: 'Every Monday' },
  { value: 'monthly', label: 'On the first of every month' },
];

/** Reports with their days and filters under a name, and whether they are mailed. */
export function SavedViews({ report }: { report: ReportKind }) {
  const menu = useMenu();
  const navigate = useNavigate();
  const { data } = useCallQuery(listReportViews, {});
  const [shown, setShown] = useState<'save' | 'manage'>();
  const own = data?.Items.filter(({ Report }) => Report === report) ?? [];
  const close = () => setShown(undefined);
  return (
    <>
      <Button
        startIcon={<Bookmark aria-hidden />}
        endIcon={<ChevronDown aria-hidden />}
        {...menu.buttonProps}
      >
        Saved views
      </Button>
      <Menu {...menu.menuProps}>
        {own.map((view) => (
          <MenuItem
            key={view.ReportViewID}
            onClick={menu.choose(() => void navigate({ to: '.', search: view.Search as never }))}
          >
            <ListItemText primary={view.Name} secondary={mailWords(view.Schedule)} />
          </MenuItem>
        ))}
        {own.length > 0 && <Divider />}
        <MenuItem onClick={menu.choose(() => setShown('save'))}>Save this view</MenuItem>
        {own.length > 0 && (
          <MenuItem onClick={menu.choose(() => setShown('manage'))}>Change saved views</MenuItem>
        )}
      </Menu>
      <FormDialog isOpen={shown === 'save'} onClose={close} width={440}>
        <SaveForm report={report} onClose={close} />
      </FormDialog>
      <FormDialog isOpen={shown === 'manage' && own.length > 0} onClose={close} width={520}>
        <ManageForm report={report} views={own} onClose={close} />
      </FormDialog>
    </>
  );
}

function mailWords(schedule: ReportSchedule): string {
  if (schedule === 'never') return '';
  return schedule === 'weekly' ? 'Mailed every Monday' : 'Mailed on the first of every month';
}

/** The history of one phone has no weeks: it isn't mailed. */
const mayBeMailed = (report: ReportKind) => report !== 'phone-number-history';

function useFreshViews() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: callKey(listReportViews).slice(0, 1) });
}

function SaveForm({ report, onClose }: { report: ReportKind; onClose: () => void }) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const create = useCall(createReportView);
  const refresh = useFreshViews();
  const form = useContractForm({
    rules: reportViewForm,
    values: { Name: '', Schedule: 'never' as ReportSchedule },
    failed: 'There was an error saving this view.',
    save: async (values) => {
      // The page of a list is where somebody was, not what they chose.
      const { page: _, ...chosen } = search;
      const Search = Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, String(value)]));
      await create.mutateAsync({ body: { Report: report, Search, ...values } });
      await refresh();
      showSnackbar(`Saved “${values.Name}”`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Save this view"
      intro="Keeps the days and filters that you chose."
      action="Save"
      problem={form.problem}
      isDisabled={form.isSubmitting}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <FormText control={form.control} name="Name" label="Name" />
      {mayBeMailed(report) && (
        <FormChoice control={form.control} name="Schedule" label="Mail it to me" choices={schedules} />
      )}
    </DialogForm>
  );
}

interface ManageProps {
  report: ReportKind;
  views: readonly ReportView[];
  onClose: () => void;
}

function ManageForm({ report, views, onClose }: ManageProps) {
  const [problem, setProblem] = useState<string>();
  const refresh = useFreshViews();
  const options = {
    onSuccess: () => {
      setProblem(undefined);
      void refresh();
    },
    onError: (error: Error) => setProblem(shownMessage(error, 'There was an error changing this view.')),
  };
  const update = useCall(updateReportView, options);
  const remove = useCall(deleteReportView, options);
  return (
    <>
      <DialogHead title="Saved views" onClose={onClose} />
      <DialogBody
        gap={2}
        intro={
          mayBeMailed(report)
            ? 'A mail covers the last week, from Monday to Sunday, or the last month.'
            : undefined
        }
        problem={problem}
      >
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
          {views.map((view) => (
            <Box
              key={view.ReportViewID}
              component="li"
              sx={{ display: 'flex', flexWrap: 'wrap', gap: '6px 12px', alignItems: 'center' }}
            >
              <Box
                sx={{
                  flex: { xs: '1 0 100%', sm: 1 },
                  minWidth: 0,
                  fontWeight: 520,
                  overflowWrap: 'anywhere',
                }}
              >
                {view.Name}
              </Box>
              {mayBeMailed(report) && (
                <Box sx={{ width: { sm: 240 }, flex: { xs: 1, sm: 'none' } }}>
                  <Choice
                    label={`Mail “${view.Name}”`}
                    value={view.Schedule}
                    choices={schedules}
                    onChange={(Schedule) =>
                      update.mutate({
                        params: { ReportViewID: view.ReportViewID },
                        body: { Schedule: Schedule as ReportSchedule },
                      })
                    }
                  />
                </Box>
              )}
              <Tooltip title="Delete">
                <IconButton
                  aria-label={`Delete “${view.Name}”`}
                  onClick={() => remove.mutate({ params: { ReportViewID: view.ReportViewID } })}
                >
                  <Trash2 aria-hidden />
                </IconButton>
              </Tooltip>
            </Box>
          ))}
        </Box>
      </DialogBody>
    </>
  );
}
