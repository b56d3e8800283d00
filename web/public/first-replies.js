// For two pages: draws the first conversations into the shape of index.html before the application runs. The server puts
// the replies that this takes into the page, and this script at its end (server/page-replies.ts). Otherwise
// color-scheme.js adds it, and it asks for them while the application loads. The application takes these replies over
// (web/api.ts), so nothing is asked for twice.
(() => {
  const root = document.documentElement;
  const given = document.getElementById('first-replies');
  const page = root.getAttribute('data-first');
  const { Scripts: scripts, Replies: inPage } = given ? JSON.parse(given.textContent) : {};
  // Only this script takes them; nothing else on the page needs to find them.
  given?.remove();
  if (page && !window.firstReplies) takeReplies();
  if (scripts) startAfterPaint();

  function takeReplies() {
    window.firstReplies = new Map();
    if (inPage) {
      for (const [path, reply] of Object.entries(inPage)) {
        const body = JSON.stringify(reply);
        const response = new Response(body, { headers: { 'Content-Type': 'application/json' } });
        window.firstReplies.set(path, Promise.resolve(response));
        if (path.includes('/conversations?')) draw(reply);
      }
      return;
    }
    ask('/proxy/api/account?include=currentuser');
    if (page !== 'inbox' || location.search) return;
    ask('/proxy/api/conversations?isDone=false&notags=true&pagesize=15')
      .then((reply) => (reply.ok ? reply.clone().json().then(draw) : undefined))
      .catch(() => undefined);
  }

  function ask(path) {
    const reply = fetch(path, {
      headers: { Accept: 'application/json' },
      credentials: 'same-origin',
      cache: 'no-store',
    });
    // The application asks again, and says what is wrong.
    reply.catch(() => undefined);
    window.firstReplies.set(path, reply);
    return reply;
  }

  function draw({ Items }) {
    const rows = document.querySelectorAll('#first .in-inbox p');
    if (Items.length === 0) return;
    for (const [index, row] of rows.entries()) {
      const conversation = Items[index];
      if (conversation) row.querySelector('b')?.replaceWith(wordsOf(conversation));
      else row.style.visibility = 'hidden';
    }
    // The inbox takes them away once it has its own (web/ui/first-paint.ts).
    root.setAttribute('data-first-rows', '');
  }

  function wordsOf({ FirstName, LastName, PhoneNumber, UnreadCount, LastMessage }) {
    const words = document.createElement('span');
    const name = document.createElement('strong');
    const phone = PhoneNumber.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
    name.textContent = `${FirstName} ${LastName}`.trim() || phone;
    words.append(name, document.createElement('br'), LastMessage?.Message ?? '');
    if (UnreadCount > 0) words.className = 'unread';
    return words;
  }

  // The scripts would keep the phone busy before it has drawn what is here already. A hidden tab draws nothing.
  function startAfterPaint() {
    let isStarted = false;
    const begin = () => {
      if (isStarted) return;
      isStarted = true;
      start();
    };
    if (document.hidden) return begin();
    // The frame has been drawn when the next one begins.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)));
    setTimeout(begin, 1_000);
  }

  /** Each script runs in a task of its own, so the phone answers between them. The last one is the application. */
  async function start() {
    for (const href of scripts) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
    for (const href of scripts) {
      // The application imports it again, and says what is wrong.
      await import(href).catch(() => undefined);
      await new Promise((done) => setTimeout(done));
    }
  }
})();
