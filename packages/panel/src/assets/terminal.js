/* Terminals in tabs, over one WebSocket each. A session outlives its page: a reload finds it again by its name. */
(async () => {
  const root = document.getElementById('terminals');
  if (!root) return;
  const words = root.dataset;
  const KEY = 'innkeeper-terminals';
  const ENDED = 4000;
  const REFUSED = 4001;
  const SIGNED_OUT = 4003;
  const LONGEST_PAUSE_MS = 10_000;

  /* xterm.js fills <style> elements, which the policy of the page refuses. Style sheets of the script are allowed. */
  const createElement = document.createElement.bind(document);
  document.createElement = (name, options) => {
    const element = createElement(name, options);
    if (name !== 'style') return element;
    const sheet = new CSSStyleSheet();
    Object.defineProperty(element, 'textContent', { set: (css) => sheet.replaceSync(css), get: () => '' });
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return element;
  };
  const [{ Terminal }, { FitAddon }] = await Promise.all([import(words.xterm), import(words.fit)]);
  root.hidden = false;
  const tabs = root.querySelector('.terminal-tabs');
  const panes = root.querySelector('.terminal-panes');
  const status = root.querySelector('[data-status]');
  const open = new Map();
  let current;

  const remember = () => {
    try {
      sessionStorage.setItem(
        KEY,
        JSON.stringify([...open.values()].filter((one) => !one.hasEnded).map(({ name }) => name)),
      );
    } catch {
      /* Without storage a reload starts new sessions. */
    }
  };
  const remembered = () => {
    try {
      const names = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
      return Array.isArray(names) ? names.filter((name) => /^[0-9a-f]{32}$/.test(name)).slice(0, 10) : [];
    } catch {
      return [];
    }
  };
  const newName = () =>
    [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
  const color = (name, fallback) => getComputedStyle(root).getPropertyValue(name).trim() || fallback;
  const theme = () => ({
    background: color('--terminal-back', '#16181d'),
    foreground: color('--terminal-text', '#e8e6e3'),
    cursor: color('--terminal-text', '#e8e6e3'),
    selectionBackground: '#5a6b8c',
  });

  const show = (session) => {
    current = session;
    for (const one of open.values()) {
      const isShown = one === session;
      one.pane.hidden = !isShown;
      one.button.setAttribute('aria-selected', String(isShown));
      one.button.tabIndex = isShown ? 0 : -1;
    }
    if (!session) return;
    status.textContent = session.state;
    session.fit.fit();
    session.terminal.focus();
  };
  const say = (session, state) => {
    session.state = state;
    if (session === current) status.textContent = state;
  };

  const connect = (session) => {
    session.fit.fit();
    const { cols, rows } = session.terminal;
    const query = new URLSearchParams({ session: session.name, columns: cols, rows });
    const url = new URL(`${words.socket}?${query}`, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    session.socket = socket;
    say(session, words.connecting);
    socket.addEventListener('message', ({ data }) => {
      session.failures = 0;
      if (session.state !== words.open) say(session, words.open);
      session.terminal.write(new Uint8Array(data));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (session.socket !== socket || session.isClosed) return;
      if (code === ENDED) return end(session);
      if (code === REFUSED) return say(session, reason || words.refused);
      if (code === SIGNED_OUT) return say(session, words.signedOut);
      say(session, words.lost);
      session.failures += 1;
      const pause = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** session.failures);
      setTimeout(() => session.isClosed || connect(session), pause);
    });
  };
  const send = ({ socket }, message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(message);
  };

  const end = (session) => {
    say(session, words.ended);
    session.terminal.write(`\r\n\x1b[2m${words.ended}\x1b[0m\r\n`);
    session.hasEnded = true;
    remember();
  };
  const close = (session) => {
    session.isClosed = true;
    send(session, JSON.stringify({ type: 'close' }));
    setTimeout(() => session.socket?.close(), 1_000);
    open.delete(session.name);
    session.terminal.dispose();
    session.pane.remove();
    session.button.remove();
    remember();
    if (session === current) show([...open.values()].at(-1));
    if (open.size === 0) status.textContent = '';
  };

  let number = 0;
  const start = (name) => {
    number += 1;
    const pane = createElement('div');
    pane.className = 'terminal-pane';
    pane.id = `terminal-${number}`;
    pane.setAttribute('role', 'tabpanel');
    panes.append(pane);
    const button = createElement('button');
    button.type = 'button';
    button.id = `terminal-tab-${number}`;
    button.textContent = `${words.tab} ${number}`;
    button.setAttribute('role', 'tab');
    button.setAttribute('aria-controls', pane.id);
    pane.setAttribute('aria-labelledby', button.id);
    tabs.append(button);
    const terminal = new Terminal({
      fontFamily: color('--mono', 'monospace'),
      fontSize: 14,
      scrollback: 5_000,
      theme: theme(),
      screenReaderMode: false,
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    const session = { name, pane, button, terminal, fit, failures: 0, state: '' };
    open.set(name, session);
    remember();
    button.addEventListener('click', () => show(session));
    terminal.open(pane);
    terminal.onData((text) => send(session, new TextEncoder().encode(text)));
    terminal.onBinary((text) =>
      send(
        session,
        Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
      ),
    );
    terminal.onResize(({ cols, rows }) =>
      send(session, JSON.stringify({ type: 'size', columns: cols, rows })),
    );
    terminal.attachCustomKeyEventHandler((event) => {
      if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey) return true;
      if (event.code === 'KeyC') {
        event.preventDefault();
        navigator.clipboard?.writeText(terminal.getSelection()).catch(() => {});
        return false;
      }
      /* The browser pastes. */
      return event.code !== 'KeyV';
    });
    show(session);
    connect(session);
  };

  tabs.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const all = [...open.values()];
    const next = all.indexOf(current) + (event.key === 'ArrowRight' ? 1 : -1);
    show(all.at(next % all.length));
    current?.button.focus();
  });
  root.querySelector('[data-new]').addEventListener('click', () => start(newName()));
  root.querySelector('[data-close]').addEventListener('click', () => current && close(current));
  new ResizeObserver(() => current && !current.isClosed && current.fit.fit()).observe(panes);
  const names = remembered();
  for (const name of names.length > 0 ? names : [newName()]) start(name);
})();
