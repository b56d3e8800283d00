// Asks for what Muster uses, never for a browser's name. Written for browsers that may not understand
// the application itself, so it is plain old JavaScript and brings its own words.
(() => {
  var seenKey = 'muster-unsupported-browser-seen';
  var page = '/unsupported-browser';
  function lacks() {
    try {
      return !(
        'noModule' in HTMLScriptElement.prototype &&
        typeof fetch === 'function' &&
        typeof structuredClone === 'function' &&
        typeof Object.hasOwn === 'function' &&
        typeof Array.prototype.at === 'function' &&
        typeof String.prototype.replaceAll === 'function' &&
        typeof AbortController === 'function' &&
        typeof crypto === 'object' &&
        typeof crypto.getRandomValues === 'function' &&
        typeof Intl === 'object' &&
        typeof Intl.DateTimeFormat.prototype.formatToParts === 'function' &&
        CSS.supports('color', 'color-mix(in srgb, red, blue)') &&
        CSS.supports('height', '100dvh') &&
        CSS.supports('display', 'grid')
      );
    } catch (_) {
      return true;
    }
  }
  function wasShown() {
    try {
      return localStorage.getItem(seenKey) !== null;
    } catch (_) {
      // Without storage it could not be shown only once: rather not at all.
      return true;
    }
  }
  if (location.pathname !== page) {
    if (lacks() && !wasShown()) {
      localStorage.setItem(seenKey, 'yes');
      location.replace(page);
    }
    return;
  }
  // The application draws its own page over this one where it can run.
  document.addEventListener('DOMContentLoaded', () => {
    var root = document.getElementById('root');
    if (!root || root.firstChild) return;
    root.innerHTML =
      '<main style="max-width:480px;margin:15vh auto;padding:24px;font:16px/1.5 sans-serif">' +
      '<h1 style="font-size:24px">Your browser is too old for Muster</h1>' +
      '<p>Some things may look odd or not work. Please update it, or use a current version of Firefox, Chrome, Edge or Safari.</p>' +
      '<p><a href="/home">Continue anyway</a></p></main>';
  });
})();
