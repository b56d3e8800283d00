import type { Account, User } from '../../contract/accounts.ts';
import { senderForm } from '../../contract/forms/account.ts';
import { textSettingsForm } from '../../contract/forms/profile.ts';
import { characterCounts } from '../../contract/reference/sending-options.ts';
import { useAccount, useUser } from '../queries/current-user.ts';
import { FormCard } from '../ui/form-card.tsx';
import { FormChoice, FormText } from '../ui/form-fields.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { useSaveSettings } from './use-save-settings.ts';

/** The name that the organization's texts begin with. */
export function SenderCard() {
  const account = useAccount();
  return account ? <SenderForm account={account} /> : null;
}

function SenderForm({ account }: { account: Account }) {
  const { saveAccount } = useSaveSettings();
  const sender = useContractForm({
    rules: senderForm,
    values: { SenderName: account.SenderName },
    failed: 'There was a problem updating your account.',
    save: async (body) => {
      await saveAccount(body);
      showSnackbar('Sender name saved.');
    },
  });
  return (
    <FormCard title="Sender name" form={sender}>
      <FormText
        control={sender.control}
        name="SenderName"
        label="Sender name"
        autoComplete="off"
        placeholder={account.CompanyName}
        help="Broadcasts begin with it if you turn that on below. Empty: your organization’s name."
      />
    </FormCard>
  );
}

/** Recommended length of the user's texts. Not a limit: that is TextMessageCharacterLimit. */
export function CharacterCountCard() {
  const user = useUser();
  return user ? <CharacterCountForm user={user} /> : null;
}

function CharacterCountForm({ user }: { user: User }) {
  const { saveUser } = useSaveSettings();
  const { DefaultSettingCharacterCount } = user;
  const count = useContractForm({
    rules: textSettingsForm,
    values: { DefaultSettingCharacterCount },
    failed: 'There was an error updating your user info.',
    save: async (body) => {
      await saveUser(body);
      showSnackbar('Character count saved.');
    },
  });
  return (
    <FormCard title="Your texts" form={count}>
      <FormChoice
        control={count.control}
        name="DefaultSettingCharacterCount"
        label="Character count"
        help="The length you aim for. A longer text can be sent, and you are told while you write it. A segment is 160 characters, and each one costs a credit."
        choices={characterCounts.map((value) => ({ value, label: `${value} characters` }))}
      />
    </FormCard>
  );
}
