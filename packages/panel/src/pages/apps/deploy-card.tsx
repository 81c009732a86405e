import { CSRF_FIELD, csrfToken } from '../../http/csrf.ts';
import { ButtonForm, Refusal } from '../../ui/form.tsx';
import { Card, Facts } from '../../ui/parts.tsx';
import type { AppParts } from './app-page.tsx';
import { PushHook } from './push-hook.tsx';
import { sizeText } from './words.ts';

/** Deploys a new release from an archive or from the app's repository. */
export function DeployCard(parts: AppParts) {
  return (
    <Card title="Deploy">
      {parts.app.status === 'stopped' ? (
        <p>The app is stopped. A new release runs when you start the app.</p>
      ) : null}
      <Refusal state={parts.refusedAs('deploy-git')} />
      <p>
        The current release stays live until the new release is ready. It also stays live if the new release
        fails.
      </p>
      <div class="half">
        <ZipForm {...parts} />
        {parts.app.git === null ? null : <GitForm {...parts} />}
      </div>
      <PushHook {...parts} />
    </Card>
  );
}

/**
 * The CSRF token is in the URL, because the panel checks it before it reads the file. With JavaScript the upload
 * does not leave the page and shows its progress.
 */
function ZipForm({ c, app: { id }, refusedAs }: AppParts) {
  const refused = refusedAs('deploy-zip');
  const action = `/apps/${id}/deploy-zip?${CSRF_FIELD}=${csrfToken(c)}`;
  const errors = refused?.errors.archive ?? [];
  const { maxBytes } = c.var.deps.uploads;
  return (
    <form method="post" action={action} enctype="multipart/form-data" class="stack" data-upload>
      <h3>From an archive</h3>
      <Refusal state={refused} />
      <div class="field">
        <label class="label" for="field-archive">
          ZIP archive
        </label>
        <input
          class="input"
          type="file"
          id="field-archive"
          name="archive"
          accept=".zip,application/zip"
          required
          aria-invalid={errors.length > 0 ? 'true' : undefined}
          aria-describedby={
            errors.length > 0 ? 'field-archive-hint field-archive-error' : 'field-archive-hint'
          }
        />
        <p class="hint" id="field-archive-hint">
          {`At most ${sizeText(maxBytes)}, with the files of the app at the top level.`}
        </p>
        {errors.length === 0 ? null : (
          <p class="error" id="field-archive-error" role="alert">
            {errors.join(' ')}
          </p>
        )}
      </div>
      <progress hidden aria-label="Upload" />
      <div class="actions">
        <button type="submit" class="btn btn-primary">
          Upload and deploy
        </button>
      </div>
    </form>
  );
}

function GitForm({ c, app: { id, git } }: AppParts) {
  if (git === null) return null;
  return (
    <div class="stack">
      <h3>From Git</h3>
      <Facts
        facts={[
          ['Repository', <code>{git.repository}</code>],
          ['Branch', <code>{git.branch}</code>],
        ]}
      />
      <p class="muted">The server fetches and builds the newest commit of the branch.</p>
      <ButtonForm c={c} action={`/apps/${id}/deploy-git`} submit="Deploy from Git" />
    </div>
  );
}
