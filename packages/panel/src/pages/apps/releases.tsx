import type { AppReleaseView } from '@innkeeper/services';
import { ButtonForm, Refusal } from '../../ui/form.tsx';
import { Ago, Badge, Card, Empty, Table } from '../../ui/parts.tsx';
import type { AppParts } from './app-page.tsx';
import { durationText, sizeText } from './words.ts';

const sources = { zip: 'archive', git: 'Git' } as const;

/** The releases of an app, each with a button to roll back to it. */
export function Releases({ c, app, releases, refusedAs }: AppParts) {
  return (
    <Card
      title="Releases"
      actions={
        <a class="btn btn-small" href={`/apps/${app.id}/build-log`}>
          Build log
        </a>
      }
    >
      <Refusal state={refusedAs('roll-back')} />
      {releases.length === 0 ? (
        <Empty>No deployment yet. The app has the first content of its template.</Empty>
      ) : (
        <Table
          caption="Releases, newest first"
          headings={[...releaseHeadings, '']}
          rows={releases.map((release) => [
            ...releaseCells(release),
            release.is_kept && !release.is_wanted ? (
              <ButtonForm
                c={c}
                action={`/apps/${app.id}/roll-back`}
                submit="Roll back"
                label={`Roll back to release ${release.id}`}
                fields={{ release_id: `${release.id}` }}
              />
            ) : (
              ''
            ),
          ])}
        />
      )}
      <p class="muted">
        The server keeps the last three releases that were live, so that you can roll back to them.
      </p>
    </Card>
  );
}

/** Headings of `releaseCells`. */
export const releaseHeadings = ['Deployed', 'From', 'State', 'Took'];

/** Cells of a release in a table. */
export function releaseCells(release: AppReleaseView) {
  const { source, archive_bytes, created_at } = release;
  return [
    <Ago at={created_at} />,
    archive_bytes === null ? sources[source] : `${sources[source]}, ${sizeText(archive_bytes)}`,
    <ReleaseState release={release} />,
    tookText(release),
  ];
}

/** The time from the deploy until the server reported its end. */
function tookText({ state, created_at, updated_at }: AppReleaseView): string {
  const hasEnded = state === 'served' || state === 'failed';
  return hasEnded ? durationText(updated_at.getTime() - created_at.getTime()) : '';
}

function ReleaseState({ release }: { release: AppReleaseView }) {
  const { state, is_serving, is_wanted } = release;
  if (is_serving) return <Badge tone="good">live</Badge>;
  if (state === 'failed') return <Badge tone="bad">failed</Badge>;
  if (is_wanted) return <Badge tone="busy">deploying</Badge>;
  return <Badge tone="plain">{state === 'superseded' ? 'superseded' : 'previous'}</Badge>;
}
