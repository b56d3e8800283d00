import { type Member, type UserFilter, userSorts } from '../../../contract/account-users.ts';
import type { ListState } from '../../queries/list-search.ts';
import { say } from '../../ui/say.ts';

/** The tabs of the list, and what each shows. */
export const userViews = {
  all: { label: say('All', 'users'), filter: {} },
  enabled: { label: say('Enabled', 'users'), filter: { enabled: true } },
  invited: { label: say('Invited', 'users'), filter: { invited: true } },
  disabled: { label: say('Disabled', 'users'), filter: { enabled: false } },
} as const satisfies Record<string, { label: string; filter: Partial<UserFilter> }>;
export type UserView = keyof typeof userViews;
export const userViewNames = Object.keys(userViews) as UserView[];

const roles = ['owner', 'admin', 'user'] as const;
type RoleFilter = (typeof roles)[number] | '';

export const roleFilters: readonly { value: RoleFilter; label: string }[] = [
  { value: '', label: 'All roles' },
  { value: 'owner', label: 'Account Owners' },
  { value: 'admin', label: 'Admins' },
  { value: 'user', label: 'Users' },
];

/** The address holds the view and the role as one word: "enabled", "enabled.admin". */
export function readUserFilter(filter: string): { view: UserView; role: RoleFilter } {
  const [view = '', role = ''] = filter.split('.');
  return {
    view: userViewNames.find((name) => name === view) ?? 'all',
    role: roles.find((name) => name === role) ?? '',
  };
}

export function writeUserFilter(view: UserView, role: RoleFilter): string {
  if (role !== '') return `${view}.${role}`;
  return view === 'all' ? '' : view;
}

export type UserSort = (typeof userSorts)[number];

export function readUserSort(sort: string): UserSort {
  return userSorts.find((one) => one === sort) ?? 'name';
}

/** The query of the list and of its selection. */
export function userQuery({ q, filter }: Pick<ListState, 'q' | 'filter'>) {
  const { view, role } = readUserFilter(filter);
  return { ...userViews[view].filter, ...(role === '' ? {} : { role }), ...(q === '' ? {} : { q }) };
}

/** "Enabled", "Invited" … */
export function userStatus({ IsActive, Invitation }: Pick<Member, 'IsActive' | 'Invitation'>): string {
  if (IsActive) return say('Enabled');
  if (Invitation === null) return say('Disabled');
  if (Invitation.Problem !== null) return 'Email bounced';
  return Invitation.IsExpired ? 'Invitation expired' : say('Invited');
}
