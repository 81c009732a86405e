/* What the pages do in a browser besides what HTML does by itself. They work without it. */
(() => {
  const token = document.querySelector('meta[name="csrf"]');

  document.addEventListener('htmx:configRequest', (event) => {
    if (token && event.detail.verb !== 'get') event.detail.headers[token.dataset.header] = token.content;
  });
  /* A refused form is a page with its sentences: it is shown. */
  document.addEventListener('htmx:beforeSwap', (event) => {
    const { status } = event.detail.xhr;
    if (status >= 400 && status < 500 && event.detail.requestConfig.verb !== 'get') {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });
  /* The session ended while the page was read again: the whole page goes to the sign-in. */
  document.addEventListener('htmx:afterRequest', (event) => {
    const { xhr, elt } = event.detail;
    if (
      elt.matches('[hx-trigger^="every"]') &&
      new URL(xhr.responseURL || location.href).pathname === '/login'
    )
      location.reload();
  });

  const prepare = (root) => {
    for (const button of root.querySelectorAll('button[data-copy]')) button.hidden = false;
    for (const progress of root.querySelectorAll('progress[data-upload]')) progress.hidden = true;
  };
  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest('button[data-copy]') : null;
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
  });

  /* An upload tells how far it is. */
  document.addEventListener('htmx:xhr:progress', (event) => {
    const progress =
      event.target instanceof Element ? event.target.querySelector('progress[data-upload]') : null;
    if (!progress || !event.detail.lengthComputable) return;
    progress.hidden = false;
    progress.max = event.detail.total;
    progress.value = event.detail.loaded;
  });
  /* A form is sent once, however often its button is pressed. */
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.dataset.sent) event.preventDefault();
    else if (!form.hasAttribute('hx-post') && form.method === 'post') form.dataset.sent = '1';
  });
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  });

  /* The menu is open where there is room for it, and without a script. */
  const narrow = matchMedia('(max-width: 52rem)');
  const menu = document.querySelector('details.menu');
  const fit = () => {
    if (menu) menu.open = !narrow.matches;
  };
  narrow.addEventListener('change', fit);
  fit();
  prepare(document);
  document.addEventListener('htmx:load', (event) => prepare(event.detail.elt));
})();
