import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '../../../accounts/profile-page.tsx';
import { NotificationsCard } from '../../../notifications/notifications-card.tsx';
import { PasswordCard } from '../../../pieces/passwords/password-card.tsx';
import { ProfileCard } from '../../../settings/profile/profile-card.tsx';
import { SignatureCard } from '../../../settings/signature-card.tsx';

export const Route = createFileRoute('/_app/settings/profile')({ component: Profile });

function Profile() {
  return (
    <ProfilePage>
      <ProfileCard />
      <SignatureCard />
      <NotificationsCard />
      <PasswordCard />
    </ProfilePage>
  );
}
