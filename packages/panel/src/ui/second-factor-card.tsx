import type { SecondFactorState } from '@innkeeper/services';
import type { PanelContext } from '../env.ts';
import { useTexts } from '../language/use-texts.ts';
import { ButtonForm, Confirm } from './form.tsx';
import { Badge, Card, Moment } from './parts.tsx';
import { uiTexts } from './texts/index.ts';

/** Lets an operator unlock or reset a user's second factor. Shows nothing if the user has none. */
export function SecondFactorCard({
  c,
  path,
  username,
  factor,
}: {
  c: PanelContext;
  /** Path of the user's page. */
  path: string;
  username: string;
  factor: SecondFactorState | null;
}) {
  const texts = useTexts(uiTexts);
  if (factor === null) return null;
  return (
    <Card title={texts.twoFactor}>
      <p>
        {texts.factorIsOn(<Badge tone="good">{texts.isOn}</Badge>, <Moment at={factor.since} />, username)}
      </p>
      {factor.locked_at === null ? null : (
        <>
          <p class="error">{texts.factorIsLocked(<Moment at={factor.locked_at} />)}</p>
          <ButtonForm c={c} action={`${path}/second-factor/unlock`} submit={texts.unlockFor(username)} />
        </>
      )}
      <Confirm
        c={c}
        action={`${path}/second-factor/reset`}
        ask={texts.reset}
        submit={texts.resetFor(username)}
      >
        <p>{texts.resetWarning(username)}</p>
      </Confirm>
    </Card>
  );
}
