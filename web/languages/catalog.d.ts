/** Everything that contract/ and server/ say, in the language that the pages are built for (vite-language.ts). */
declare module 'virtual:muster-catalog' {
  const catalog: Readonly<Record<string, string | null>>;
  export default catalog;
}

/** The reference's words for each call. */
declare module 'virtual:muster-calls' {
  const catalog: Readonly<Record<string, string>>;
  export default catalog;
}
