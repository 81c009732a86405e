/* Additions to the pages. Every page also works without this script. */
(() => {
  /* The server answers a redirect of a script's request as a header: then the browser opens that page. */
  const SCRIPT = { 'X-Panel-Script': '1' };
  const follows = (location, url) => {
    if (location) window.location.assign(location);
    else if (new URL(url).pathname === '/login') window.location.reload();
    else return false;
    return true;
  };
  /* Replaces the element with this id by that of the new page. */
  const replace = (id, html) => {
    const fresh = new DOMParser().parseFromString(html, 'text/html').getElementById(id);
    if (!fresh) return false;
    document.getElementById(id).replaceWith(fresh);
    prepare(fresh.parentNode);
    return true;
  };

  /* A part that refreshes while something is in progress. A failed request is tried again. */
  const refresh = async (part) => {
    try {
      const response = await fetch(part.dataset.live, { headers: SCRIPT });
      const html = await response.text();
      if (!part.isConnected || follows(response.headers.get('X-Panel-Location'), response.url)) return;
      if (response.ok && replace(part.id, html)) {
        /* The message of the form that started it speaks of something that is over. */
        if (!document.getElementById(part.id).dataset.live) document.getElementById('notice')?.remove();
        return;
      }
    } catch {
      /* The server does not answer. */
    }
    wait(part);
  };
  const wait = (part) => setTimeout(() => part.isConnected && refresh(part), part.dataset.every * 1_000);

  /* Times in the time zone of the browser. */
  const { lang } = document.documentElement;
  const moments = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const prepare = (root) => {
    for (const one of root.querySelectorAll('button[data-copy], button[data-print], input[data-checks]'))
      one.hidden = false;
    for (const time of root.querySelectorAll('time[data-moment]')) {
      const local = moments.format(new Date(time.dateTime));
      if (time.dataset.moment === 'title') time.title = local;
      else time.textContent = local;
    }
    for (const part of root.querySelectorAll('[data-live]:not([data-waits])')) {
      part.dataset.waits = '1';
      wait(part);
    }
  };
  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest('button[data-copy]') : null;
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    if (field.select) field.select();
    else getSelection().selectAllChildren(field);
    try {
      await navigator.clipboard.writeText(field.value ?? String(getSelection()));
    } catch {
      document.execCommand('copy');
    }
    if (button.dataset.label) return;
    button.dataset.label = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = button.dataset.label;
      delete button.dataset.label;
    }, 2_000);
  });

  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('button[data-print]')) print();
  });

  /* A checkbox that checks all others with the name. */
  document.addEventListener('change', ({ target }) => {
    const name = target.dataset?.checks;
    if (!name) return;
    for (const box of target.form.querySelectorAll(`input[name="${name}"]`)) box.checked = target.checked;
  });

  /* An upload stays on the page and shows its progress. The answer to a refused one is a page too. */
  const upload = (form) => {
    const request = new XMLHttpRequest();
    const progress = form.querySelector('progress');
    const button = form.querySelector('button');
    button.disabled = true;
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (!lengthComputable) return;
      progress.hidden = false;
      progress.max = total;
      progress.value = loaded;
    });
    request.addEventListener('loadend', () => {
      button.disabled = false;
      progress.hidden = true;
      if (request.status === 0) return;
      if (follows(request.getResponseHeader('X-Panel-Location'), request.responseURL)) return;
      if (!replace('content', request.responseText)) return;
      scrollTo(0, 0);
      document.querySelector('#content [autofocus]')?.focus();
    });
    request.open('POST', form.action);
    for (const [name, value] of Object.entries(SCRIPT)) request.setRequestHeader(name, value);
    request.send(new FormData(form));
  };

  /* A preview of the fields that name it. Only the newest answer is shown. */
  let previews = 0;
  document.addEventListener('input', ({ target }) => {
    const url = target.dataset?.preview;
    if (!url) return;
    previews += 1;
    const mine = previews;
    setTimeout(async () => {
      if (mine !== previews) return;
      const fields = target.form.querySelectorAll('[data-preview]');
      const query = new URLSearchParams([...fields].map(({ name, value }) => [name, value]));
      const response = await fetch(`${url}?${query}`, { headers: SCRIPT });
      const html = await response.text();
      if (mine === previews && response.ok) document.getElementById(target.dataset.shows).innerHTML = html;
    }, 400);
  });

  /* Submit a form only once, even if the user clicks its button again. */
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.matches('[data-upload]')) {
      event.preventDefault();
      upload(form);
    } else if (form.dataset.sent) event.preventDefault();
    else if (form.method === 'post' && form.target !== '_blank') form.dataset.sent = '1';
  });
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  });

  /* Menus close by Escape and by a click outside. */
  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll('details.menu[open]'))
      if (menu !== except) menu.open = false;
  };
  document.addEventListener('click', (event) => closeMenus(event.target.closest?.('details.menu')));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    document.querySelector('details.menu[open] > summary')?.focus();
    closeMenus();
  });

  /* Ctrl-K and Cmd-K open the search. Arrows move through its results. */
  const search = document.getElementById('search');
  const openSearch = (event) => {
    event.preventDefault();
    if (!search.open) search.showModal();
    search.querySelector('input').select();
  };
  document.addEventListener('click', (event) => {
    if (!search) return;
    if (event.target.closest?.('a[data-search]')) openSearch(event);
    else if (event.target === search) search.close();
  });
  document.addEventListener('keydown', (event) => {
    if (!search) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey) return openSearch(event);
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (key === '/' && !isTyping && !ctrlKey && !metaKey && !altKey) return openSearch(event);
    if (!search.open || (key !== 'ArrowDown' && key !== 'ArrowUp')) return;
    event.preventDefault();
    const stops = [search.querySelector('input'), ...search.querySelectorAll('#search-results a')];
    const next = stops.indexOf(document.activeElement) + (key === 'ArrowDown' ? 1 : -1);
    stops.at(next % stops.length).focus();
  });
  prepare(document);
})();
