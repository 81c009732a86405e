import type { FailingAccount } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { useTexts, useTranslate } from '../../language/use-texts.ts';
import { Good } from '../../ui/attention.tsx';
import { ButtonForm } from '../../ui/form.tsx';
import { Card } from '../../ui/parts.tsx';
import { historyTexts } from './texts/index.ts';

const PROBLEMS_SHOWN = 2;

/** Accounts whose server could not apply the last change, each with its reasons and a button to try again. */
export function FailingAccounts({
  c,
  items,
  hasMore,
}: {
  c: PanelContext;
  items: readonly FailingAccount[];
  hasMore: boolean;
}) {
  const texts = useTexts(historyTexts);
  const translate = useTranslate();
  return (
    <Card title={texts.failing}>
      {items.length === 0 ? (
        <Good>{texts.noneFailing}</Good>
      ) : (
        <ul class="rows">
          {items.map(({ id, username, node, problems }) => (
            <li>
              <div class="grow">
                <a href={`/accounts/${id}`}>
                  <b>{username}</b>
                </a>{' '}
                {node === null ? null : (
                  <span class="muted">{texts.on(<a href={`/nodes/${node.id}`}>{node.name}</a>)}</span>
                )}
                {problems.slice(0, PROBLEMS_SHOWN).map(({ name, reason }) => (
                  <p>{`${name}: ${translate(reason?.split('\n')[0] ?? '') || texts.noReason}`}</p>
                ))}
              </div>
              <ButtonForm
                c={c}
                action={`/accounts/${id}/retry`}
                submit={texts.tryAgain}
                label={texts.tryAgainThis(username)}
              />
            </li>
          ))}
        </ul>
      )}
      {hasMore ? <p class="muted">{texts.moreFailing}</p> : null}
    </Card>
  );
}
