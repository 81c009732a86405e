import type { SecondFactorState } from '@innkeeper/services';
import type { PanelContext } from '../env.ts';
import { ButtonForm, Confirm } from './form.tsx';
import { Badge, Card, Moment } from './parts.tsx';

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
  if (factor === null) return null;
  return (
    <Card title="Two-factor authentication">
      <p>
        <Badge tone="good">on</Badge> Since <Moment at={factor.since} />. Signing in with the password of{' '}
        {username} also requires a code.
      </p>
      {factor.locked_at === null ? null : (
        <>
          <p class="error">
            Locked since <Moment at={factor.locked_at} />: someone who knows the password entered too many
            wrong codes. Only recovery codes work until you unlock it. Set a new password before you unlock
            it.
          </p>
          <ButtonForm c={c} action={`${path}/second-factor/unlock`} submit={`Unlock for ${username}`} />
        </>
      )}
      <Confirm c={c} action={`${path}/second-factor/reset`} ask="Reset" submit={`Reset for ${username}`}>
        <p>
          Use this for a user who has lost the phone and the recovery codes. Verify the identity of the user
          first. After the reset the password alone is enough to sign in, and {username} is signed out
          everywhere.
        </p>
      </Confirm>
    </Card>
  );
}

export function resetSentence(username: string): string {
  return `Two-factor authentication of ${username} is off. The password alone is enough to sign in until the user sets it up again.`;
}

export function unlockSentence(username: string): string {
  return `Two-factor authentication of ${username} is unlocked. Authenticator codes work again.`;
}
