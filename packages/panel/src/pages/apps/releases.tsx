import type { AppReleaseView } from '@innkeeper/services';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ButtonForm, Refusal } from '../../ui/form.tsx';
import { Ago, Badge, Card, Empty, Table } from '../../ui/parts.tsx';
import type { AppParts } from './app-page.tsx';
import { appTexts } from './texts/index.ts';
import { BYTES_PER_MIB, durationText } from './words.ts';

/** The releases of an app, each with a button to roll back to it. */
export function Releases({ c, app, releases, refusedAs }: AppParts) {
  const texts = useTexts(appTexts);
  return (
    <Card
      title={texts.releases}
      actions={
        <a class="btn btn-small" href={`/apps/${app.id}/build-log`}>
          {texts.buildLog}
        </a>
      }
    >
      <Refusal state={refusedAs('roll-back')} />
      {releases.length === 0 ? (
        <Empty>{texts.noReleases}</Empty>
      ) : (
        <Table
          caption={texts.newestFirst}
          headings={[...releaseHeadings(texts), '']}
          rows={releases.map((release) => [
            ...releaseCells(release, texts),
            release.is_kept && !release.is_wanted ? (
              <ButtonForm
                c={c}
                action={`/apps/${app.id}/roll-back`}
                submit={texts.rollBack}
                label={texts.rollBackTo(release.id)}
                fields={{ release_id: `${release.id}` }}
              />
            ) : (
              ''
            ),
          ])}
        />
      )}
      <p class="muted">{texts.keepsThree}</p>
    </Card>
  );
}

/** Headings of `releaseCells`. */
export function releaseHeadings(texts: AppTexts): string[] {
  return [texts.number, texts.deployed, texts.from, texts.state, texts.took];
}

type AppTexts = typeof appTexts.en;

/** Cells of a release in a table. */
export function releaseCells(release: AppReleaseView, texts: AppTexts) {
  const { source, archive_bytes, commit_hash, created_at } = release;
  return [
    `#${release.id}`,
    <Ago at={created_at} />,
    commit_hash !== null ? (
      <CommitLine release={release} hash={commit_hash} />
    ) : archive_bytes === null ? (
      texts.sources[source]
    ) : (
      <>
        {texts.sources[source]}, <Size bytes={archive_bytes} />
      </>
    ),
    <ReleaseState release={release} />,
    tookText(release),
  ];
}

/** A commit in two lines: its subject, then its short hash and its author. */
function CommitLine({ release, hash }: { release: AppReleaseView; hash: string }) {
  const { commit_subject, commit_author } = release;
  return (
    <>
      <span class="cut" title={commit_subject ?? undefined}>
        {commit_subject}
      </span>
      <small class="muted">
        <code title={hash}>{hash.slice(0, SHORT_HASH_CHARACTERS)}</code> <bdi>{commit_author}</bdi>
      </small>
    </>
  );
}

const SHORT_HASH_CHARACTERS = 7;

/** The time from the deploy until the server reported its end. */
function tookText({ state, created_at, updated_at }: AppReleaseView): string {
  const hasEnded = state === 'served' || state === 'failed';
  return hasEnded ? durationText(updated_at.getTime() - created_at.getTime()) : '';
}

function Size({ bytes }: { bytes: number }) {
  return <>{useFormats().size(Math.max(0.1, bytes / BYTES_PER_MIB))}</>;
}

function ReleaseState({ release }: { release: AppReleaseView }) {
  const texts = useTexts(appTexts);
  const { state, is_serving, is_wanted } = release;
  if (is_serving) return <Badge tone="good">{texts.live}</Badge>;
  if (state === 'failed') return <Badge tone="bad">{texts.hasFailed}</Badge>;
  if (is_wanted) return <Badge tone="busy">{texts.deploying}</Badge>;
  return <Badge tone="plain">{state === 'superseded' ? texts.superseded : texts.previous}</Badge>;
}
