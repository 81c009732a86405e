import type { WirePath } from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import { CSRF_FIELD, csrfToken } from '../../http/csrf.ts';
import { useTexts } from '../../language/use-texts.ts';
import { CsrfField } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { filePages } from './files.ts';
import { fileTexts } from './texts/index.ts';

/** Search, new files and folders, and uploads into a folder. */
export function FileTools({ c, folder }: { c: PanelContext; folder: WirePath }) {
  const texts = useTexts(fileTexts);
  const upload = `/files/upload/${folder}?${CSRF_FIELD}=${csrfToken(c)}`;
  return (
    <>
      <a class="btn btn-quiet" href={filePages.search(folder)}>
        <Icon name="search" />
        {texts.search}
      </a>
      <details class="menu" name="menu">
        <summary class="btn">
          <Icon name="plus" />
          {texts.new}
        </summary>
        <form method="post" action="/files/new" class="menu-list fm-form stack">
          <CsrfField c={c} />
          <input type="hidden" name="folder" value={folder} />
          <label class="label" for="new-name">
            {texts.newName}
          </label>
          <input
            class="input"
            id="new-name"
            name="name"
            required
            maxlength={255}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
          <button type="submit" class="btn" name="kind" value="file">
            <Icon name="file-plus" />
            {texts.newFile}
          </button>
          <button type="submit" class="btn" name="kind" value="folder">
            <Icon name="folder-plus" />
            {texts.newFolder}
          </button>
        </form>
      </details>
      <details class="menu" name="menu">
        <summary class="btn btn-primary">
          <Icon name="upload" />
          {texts.upload}
        </summary>
        <form
          method="post"
          action={upload}
          enctype="multipart/form-data"
          class="menu-list fm-form stack"
          id="upload"
        >
          <label class="label" for="upload-files">
            {texts.uploadFiles}
          </label>
          <input class="input" id="upload-files" type="file" name="files" multiple required />
          <div class="check">
            <input type="checkbox" id="upload-replaces" name="replaces" value="1" />
            <label for="upload-replaces">{texts.replaces}</label>
          </div>
          <button type="submit" class="btn btn-primary">
            {texts.uploadNow}
          </button>
          <button type="button" class="btn" id="upload-folder" hidden>
            {texts.uploadFolder}
          </button>
          <p class="hint">{texts.uploadHint}</p>
        </form>
      </details>
    </>
  );
}
