/* Additions to the pages. Every page also works without this script. */
(() => {
  const token = document.querySelector('meta[name="csrf"]');

  document.addEventListener('htmx:configRequest', (event) => {
    if (token && event.detail.verb !== 'get') event.detail.headers[token.dataset.header] = token.content;
  });
  /* htmx ignores the content of an error response. The panel answers a refused form with a page: show it. */
  document.addEventListener('htmx:beforeSwap', (event) => {
    const { status } = event.detail.xhr;
    if (status >= 400 && status < 500 && event.detail.requestConfig.verb !== 'get') {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });
  /* A part of the page refreshed after the session had ended: reload, which redirects to the sign-in. */
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
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });

  /* Progress of an upload. */
  document.addEventListener('htmx:xhr:progress', (event) => {
    const progress =
      event.target instanceof Element ? event.target.querySelector('progress[data-upload]') : null;
    if (!progress || !event.detail.lengthComputable) return;
    progress.hidden = false;
    progress.max = event.detail.total;
    progress.value = event.detail.loaded;
  });
  /* Submit a form only once, even if the user clicks its button again. */
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.dataset.sent) event.preventDefault();
    else if (!form.hasAttribute('hx-post') && form.method === 'post') form.dataset.sent = '1';
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
  prepare(document);
  document.addEventListener('htmx:load', (event) => prepare(event.detail.elt));
})();
