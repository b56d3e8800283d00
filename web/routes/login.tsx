import { createFileRoute } from '@tanstack/react-router';
import { LoginPage } from '../auth/login-page.tsx';

interface LoginSearch {
  a?: 'Logout';
  error?: 'loginmanually';
}

export const Route = createFileRoute('/login')({
  validateSearch: (search: Record<string, unknown>): LoginSearch => ({
    ...(search.a === 'Logout' ? { a: 'Logout' } : {}),
    ...(search.error === 'loginmanually' ? { error: 'loginmanually' } : {}),
  }),
  component: Login,
});

function Login() {
  const { a, error } = Route.useSearch();
  return <LoginPage isSignedOut={a === 'Logout'} isSessionOver={error === 'loginmanually'} />;
}
