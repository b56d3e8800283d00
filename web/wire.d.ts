/**
 * Calls without their schemas, for pages that must stay light (sign-in). The types are the contract's own,
 * so that callApi checks input and reply; at run time there is no `body`, `reply`, `params` or `query`.
 */
declare module 'virtual:wire' {
  type Auth = typeof import('../contract/auth.ts');
  export const login: Auth['login'];
  export const logout: Auth['logout'];
  export const getSetup: Auth['getSetup'];
}
