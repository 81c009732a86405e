/* Additions to the file manager: uploads that continue, drag and drop, keys. Every page also works without this script. */
(() => {
  const manager = document.querySelector('.fm[data-folder]');
  if (!manager) return;
  const words = JSON.parse(manager.dataset.words);
  const { folder } = manager.dataset;
  /* `/files`, or the same below the path of an operator who is logged in as the customer. */
  const base = manager.dataset.files;
  const token = () => document.querySelector('input[name="_csrf"]').value;
  const PART_BYTES = 8 * 1024 * 1024;
  const AT_ONCE = 3;
  const RETRY_MS = [1_000, 3_000, 10_000, 30_000];

  /* ---------- Uploads ---------- */
  const shown = document.getElementById('uploads');
  const waiting = [];
  let running = 0;
  let finished = 0;

  class Refused extends Error {}
  const send = async (method, path, fields) => {
    const body = new URLSearchParams({ ...fields, _csrf: token() });
    const response = await fetch(base + path, { method, body, headers: { Accept: 'application/json' } });
    return await read(response.status, response.headers.get('Content-Type'), () => response.json());
  };
  const read = async (status, type, json) => {
    if (!/json/.test(type ?? '')) throw new Error(String(status));
    const answer = await json();
    if (status < 300 || answer.offset !== undefined) return answer;
    if (status >= 500 && status !== 507) throw new Error(answer.message);
    throw new Refused(answer.message);
  };
  /* fetch tells nothing of the progress of what it sends. */
  const sendPart = (upload, part, offset) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      upload.request = request;
      request.upload.addEventListener('progress', ({ loaded }) => upload.show(offset + loaded));
      request.addEventListener('loadend', () => {
        upload.request = undefined;
        if (request.status === 0) reject(new Error('The connection ended.'));
        else
          read(request.status, request.getResponseHeader('Content-Type'), () =>
            JSON.parse(request.responseText),
          ).then(resolve, reject);
      });
      const query = new URLSearchParams({ offset, size: upload.file.size, _csrf: token() });
      request.open('PUT', `${base}/uploads/${upload.id}?${query}`);
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      request.send(part);
    });

  const newUpload = (file, name) => {
    const item = document.createElement('li');
    const label = Object.assign(document.createElement('span'), {
      className: 'cut',
      textContent: name,
      title: name,
    });
    const bar = Object.assign(document.createElement('progress'), { max: Math.max(1, file.size), value: 0 });
    bar.setAttribute('aria-label', name);
    const state = Object.assign(document.createElement('span'), {
      className: 'muted',
      textContent: words.waiting,
    });
    const buttons = document.createElement('span');
    item.append(label, bar, state, buttons);
    shown.append(item);
    shown.hidden = false;
    const upload = {
      file,
      name,
      isCancelled: false,
      replaces: document.getElementById('upload-replaces')?.checked ?? false,
      show: (bytes) => {
        bar.value = bytes;
        state.textContent = `${Math.floor((100 * bytes) / Math.max(1, file.size))} %`;
      },
      say: (text) => {
        state.textContent = text;
      },
      offer: (...choices) =>
        buttons.replaceChildren(
          ...choices.map(([text, run]) => {
            const button = Object.assign(document.createElement('button'), {
              type: 'button',
              className: 'btn btn-small btn-quiet',
              textContent: text,
            });
            button.addEventListener('click', run);
            return button;
          }),
        ),
      remove: () => {
        item.remove();
        if (shown.childElementCount === 0) shown.hidden = true;
      },
    };
    return upload;
  };

  const cancel = (upload) => {
    upload.isCancelled = true;
    upload.request?.abort();
    const at = waiting.indexOf(upload);
    if (at >= 0) waiting.splice(at, 1);
    if (upload.id)
      void fetch(`${base}/uploads/${upload.id}?_csrf=${token()}`, { method: 'DELETE' }).catch(() => {});
    upload.remove();
  };

  /* Asks how much has arrived, sends the rest in parts, and gives the file its name. */
  const run = async (upload) => {
    const { file, name } = upload;
    const fields = { folder, name, size: file.size, modified: file.lastModified };
    upload.say(words.checking);
    const begun = await send('POST', '/uploads', fields);
    upload.id = begun.id;
    if (begun.exists && !upload.replaces) {
      const isReplaced = await new Promise((resolve) => {
        upload.say(words.exists);
        upload.offer([words.replace, () => resolve(true)], [words.skip, () => resolve(false)]);
      });
      if (!isReplaced) return cancel(upload);
      upload.replaces = true;
      upload.offer([words.cancel, () => cancel(upload)]);
    }
    for (let offset = begun.offset; offset < file.size && !upload.isCancelled; ) {
      upload.show(offset);
      const answer = await sendPart(upload, file.slice(offset, offset + PART_BYTES), offset);
      /* Another tab may have sent the same file. */
      if (answer.offset <= offset) throw new Error('Nothing has arrived.');
      offset = answer.offset;
      upload.failures = 0;
    }
    if (upload.isCancelled) return;
    await send('POST', `/uploads/${upload.id}`, { ...fields, replaces: upload.replaces ? '1' : '' });
    upload.show(file.size);
    upload.say(words.done);
    upload.offer();
    finished += 1;
  };

  const work = async (upload) => {
    running += 1;
    upload.offer([words.cancel, () => cancel(upload)]);
    for (;;) {
      try {
        await run(upload);
        break;
      } catch (error) {
        if (upload.isCancelled) break;
        const failures = upload.failures ?? 0;
        if (!(error instanceof Refused) && failures < RETRY_MS.length) {
          upload.failures = failures + 1;
          upload.say(words.paused);
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS[failures]));
          continue;
        }
        upload.say(error instanceof Refused ? error.message : words.failed);
        upload.offer(
          [
            words.retry,
            () => {
              upload.failures = 0;
              waiting.push(upload);
              next();
            },
          ],
          [words.cancel, () => cancel(upload)],
        );
        break;
      }
    }
    running -= 1;
    next();
  };

  const next = () => {
    while (running < AT_ONCE && waiting.length > 0) void work(waiting.shift());
    if (running === 0 && waiting.length === 0 && finished > 0) void showFiles();
  };
  /* The list as it is now. */
  const showFiles = async () => {
    finished = 0;
    const response = await fetch(location.href, { headers: { 'X-Panel-Script': '1' } }).catch(
      () => undefined,
    );
    if (!response?.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    const list = fresh.querySelector('.fm-list');
    if (!list) return;
    const old = manager.querySelector('.fm-list');
    old.replaceChildren(...list.childNodes);
    for (const item of [...shown.children]) if (!item.querySelector('button')) item.remove();
    shown.hidden = shown.childElementCount === 0;
  };
  addEventListener('beforeunload', (event) => {
    if (running > 0) event.preventDefault();
  });
  const add = (files) => {
    for (const [file, name] of files) waiting.push(newUpload(file, name));
    next();
  };

  const form = document.getElementById('upload');
  const field = document.getElementById('upload-files');
  form?.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      add([...field.files].map((file) => [file, file.webkitRelativePath || file.name]));
      field.value = '';
      field.webkitdirectory = false;
      form.closest('details').open = false;
    },
    true,
  );
  const folderButton = document.getElementById('upload-folder');
  if (folderButton && 'webkitdirectory' in field) {
    folderButton.hidden = false;
    folderButton.addEventListener('click', () => {
      field.webkitdirectory = true;
      field.click();
    });
  }

  /* ---------- Drag and drop ---------- */
  const list = manager.querySelector('.fm-list');
  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files');
  let depth = 0;
  const over = (isOver) => {
    depth = isOver ? depth : 0;
    list.classList.toggle('is-over', isOver);
  };
  /* Without this a file that is dropped beside the list would replace the page. */
  addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(false);
  });
  list.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    over(true);
  });
  list.addEventListener('dragleave', (event) => {
    if (!hasFiles(event)) return;
    depth -= 1;
    if (depth <= 0) over(false);
  });
  list.addEventListener('drop', async (event) => {
    if (!hasFiles(event)) return;
    /* The entries exist during the event only. */
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const plain = [...event.dataTransfer.files].map((file) => [file, file.name]);
    add(entries.length > 0 ? await filesIn(entries) : plain);
  });
  const filesIn = async (entries) => {
    const found = [];
    const rest = [...entries];
    for (let entry = rest.pop(); entry; entry = rest.pop()) {
      if (entry.isFile) {
        const file = await new Promise((resolve) => entry.file(resolve, () => resolve(undefined)));
        if (file) found.push([file, entry.fullPath.replace(/^\//, '')]);
        continue;
      }
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
        if (some.length === 0) break;
        rest.push(...some);
      }
    }
    return found.reverse();
  };

  /* ---------- Keys ---------- */
  const links = () => [...manager.querySelectorAll('.fm-rows .item > a')];
  list.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = target.closest('.fm-rows .item');
    if (!item || target.closest('.menu[open]')) return;
    const all = links();
    const at = all.indexOf(item.querySelector(':scope > a'));
    const focus = (number) => {
      all[Math.max(0, Math.min(all.length - 1, number))]?.focus();
      event.preventDefault();
    };
    const box = item.querySelector('input[type="checkbox"]');
    if (key === 'ArrowDown') focus(at + 1);
    else if (key === 'ArrowUp') focus(at - 1);
    else if (key === 'Home') focus(0);
    else if (key === 'End') focus(all.length - 1);
    else if (key === ' ' && target !== box) {
      box.click();
      event.preventDefault();
    } else if (key === 'Delete') {
      if (!list.querySelector('.fm-rows :checked')) box.click();
      list.querySelector('.fm-chosen .btn-danger-line').focus();
      event.preventDefault();
    } else if (key === 'F2') item.querySelector('.menu-list a[href*="/files/entry/"]').click();
    else if (key === 'Backspace') [...manager.querySelectorAll('.path a')].at(-2)?.click();
  });
})();
