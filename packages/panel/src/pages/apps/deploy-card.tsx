import { CSRF_FIELD, csrfToken } from '../../http/csrf.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ButtonForm, Refusal } from '../../ui/form.tsx';
import { Card, Facts } from '../../ui/parts.tsx';
import type { AppParts } from './app-page.tsx';
import { PushHook } from './push-hook.tsx';
import { appTexts } from './texts/index.ts';
import { BYTES_PER_MIB } from './words.ts';

/** Deploys a new release from an archive or from the app's repository. */
export function DeployCard(parts: AppParts) {
  const texts = useTexts(appTexts);
  return (
    <Card title={texts.deploy}>
      {parts.app.status === 'stopped' ? <p>{texts.deployStopped}</p> : null}
      <Refusal state={parts.refusedAs('deploy-git')} />
      <p>{texts.staysLive}</p>
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
  const texts = useTexts(appTexts);
  const refused = refusedAs('deploy-zip');
  const action = `/apps/${id}/deploy-zip?${CSRF_FIELD}=${csrfToken(c)}`;
  const errors = refused?.errors.archive ?? [];
  const { maxBytes } = c.var.deps.uploads;
  return (
    <form method="post" action={action} enctype="multipart/form-data" class="stack" data-upload>
      <h3>{texts.fromArchive}</h3>
      <Refusal state={refused} />
      <div class="field">
        <label class="label" for="field-archive">
          {texts.zipArchive}
        </label>
        <input
          class="input"
          type="file"
          id="field-archive"
          name="archive"
          accept=".zip,application/zip"
          required
          autofocus={errors.length > 0 ? true : undefined}
          aria-invalid={errors.length > 0 ? 'true' : undefined}
          aria-describedby={
            errors.length > 0 ? 'field-archive-hint field-archive-error' : 'field-archive-hint'
          }
        />
        <p class="hint" id="field-archive-hint">
          {texts.archiveHint(useFormats().size(maxBytes / BYTES_PER_MIB))}
        </p>
        {errors.length === 0 ? null : (
          <p class="error" id="field-archive-error" role="alert">
            {errors.join(' ')}
          </p>
        )}
      </div>
      <progress hidden aria-label={texts.upload} />
      <div class="actions">
        <button type="submit" class="btn btn-primary">
          {texts.uploadAndDeploy}
        </button>
      </div>
    </form>
  );
}

function GitForm({ c, app: { id, git } }: AppParts) {
  const texts = useTexts(appTexts);
  if (git === null) return null;
  return (
    <div class="stack">
      <h3>{texts.fromGit}</h3>
      <Facts
        facts={[
          [texts.repository, <code>{git.repository}</code>],
          [texts.branch, <code>{git.branch}</code>],
        ]}
      />
      <p class="muted">{texts.fetches}</p>
      <ButtonForm c={c} action={`/apps/${id}/deploy-git`} submit={texts.deployGit} />
    </div>
  );
}
