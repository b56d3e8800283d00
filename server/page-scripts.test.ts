import { expect, it } from 'vitest';
import { pageScripts } from './page-scripts.ts';

const split = (file: string) => `routes/${file}.tsx?tsr-split=component---loader`;
const scriptsOf = pageScripts({
  'index.html': { file: 'assets/index.js', imports: ['_start.js'] },
  '_start.js': { file: 'assets/start.js' },
  '_ui.js': { file: 'assets/ui.js', imports: ['_start.js'] },
  [split('_app')]: { file: 'assets/app.js', imports: ['_start.js'] },
  [split('_app/$')]: { file: 'assets/nowhere.js' },
  [split('_app/inbox')]: { file: 'assets/inbox.js', imports: ['_ui.js', '_start.js'] },
  [split('_app/inbox/$conversationId')]: { file: 'assets/thread.js' },
  [split('_app/inbox_.scheduled-conversations')]: { file: 'assets/scheduled.js' },
  [split('_app/contacts/_lists')]: { file: 'assets/lists.js' },
  [split('_app/contacts/_lists/index')]: { file: 'assets/contacts.js' },
  [split('_app/message-library/audio.{-$view}')]: { file: 'assets/audio.js' },
  [split('login')]: { file: 'assets/login.js' },
});
const filesOf = (path: string) =>
  scriptsOf(path)
    ?.split(', ')
    .map((link) => /^<\/assets\/(\w+)\.js>; rel=modulepreload$/.exec(link)?.[1])
    .sort();

it('names the scripts of a signed-in page in addition to those of index.html', () => {
  expect(filesOf('/inbox')).toEqual(['app', 'inbox', 'ui']);
  expect(filesOf('/inbox/')).toEqual(['app', 'inbox', 'ui']);
  expect(filesOf('/inbox/17')).toEqual(['app', 'inbox', 'thread', 'ui']);
  expect(filesOf('/contacts')).toEqual(['app', 'contacts', 'lists']);
});

it('distinguishes exact paths from those with parameters', () => {
  expect(filesOf('/inbox/scheduled-conversations')).toEqual(['app', 'scheduled']);
  expect(filesOf('/message-library/audio')).toEqual(['app', 'audio']);
  expect(filesOf('/message-library/audio/recordings')).toEqual(['app', 'audio']);
});

it('names nothing for pages before sign-in and for unknown paths', () => {
  for (const path of ['/login', '/inbox/17/more', '/nowhere']) expect(filesOf(path)).toBeUndefined();
});
