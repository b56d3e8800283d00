// Runs before the first paint, so that a page chosen dark never flashes white. A file of its own
// because the content security policy allows no inline script. The key is the one web/theme.ts names.
(() => {
  var mode = 'system';
  try {
    mode = localStorage.getItem('muster-mode') || 'system';
  } catch (_) {
    // Storage is refused in some private windows: follow the system.
  }
  var dark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  var root = document.documentElement;
  root.setAttribute('data-color-scheme', dark ? 'dark' : 'light');
  root.style.colorScheme = dark ? 'dark' : 'light';
  root.style.backgroundColor = dark ? '#0B1110' : '#F8FAF9';
  // index.html has the shape of these pages, for whoever was signed in (auth/return-path.ts).
  var script;
  var page = /^\/(inbox|emergency)\/?$/.exec(location.pathname);
  // The server has put the first replies into the page (server/page-replies.ts), and the script at its end.
  if (page && root.hasAttribute('data-replies')) {
    root.setAttribute('data-first', page[1]);
    return;
  }
  try {
    if (page && localStorage.getItem('muster-signed-in')) {
      root.setAttribute('data-first', page[1]);
      script = document.createElement('script');
      script.src = '/first-replies.js';
      script.fetchPriority = 'high';
      document.head.append(script);
    }
  } catch (_) {
    // The page comes without it.
  }
})();
