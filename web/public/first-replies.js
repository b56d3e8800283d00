// Added by color-scheme.js for two pages: asks for what they need while the application loads, and draws the first
// conversations into the shape of index.html. The application takes these replies over (web/api.ts), so nothing is asked
// for twice.
(() => {
  const root = document.documentElement;
  const page = root.getAttribute('data-first');
  // The application has begun, and asks by itself.
  if (!page || window.firstReplies) return;
  const replies = new Map();
  window.firstReplies = replies;

  function ask(path) {
    const reply = fetch(path, {
      headers: { Accept: 'application/json' },
      credentials: 'same-origin',
      cache: 'no-store',
    });
    // The application asks again, and says what is wrong.
    reply.catch(() => undefined);
    replies.set(path, reply);
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

  ask('/proxy/api/account?include=currentuser');
  if (page !== 'inbox' || location.search) return;
  ask('/proxy/api/conversations?isDone=false&notags=true&pagesize=15')
    .then((reply) => (reply.ok ? reply.clone().json().then(draw) : undefined))
    .catch(() => undefined);
})();
