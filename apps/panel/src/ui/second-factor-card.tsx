import type { SecondFactorState } from '@innkeeper/services';
import type { PanelContext } from '../env.ts';
import { ButtonForm, Confirm } from './form.tsx';
import { Badge, Card, Moment } from './parts.tsx';

/** An operator's way to help somebody who has lost its second factor; nothing where there is none. */
export function SecondFactorCard({
  c,
  path,
  username,
  factor,
}: {
  c: PanelContext;
  /** Of the user's page. */
  path: string;
  username: string;
  factor: SecondFactorState | null;
}) {
  if (factor === null) return null;
  return (
    <Card title="Two factor authentication">
      <p>
        <Badge tone="good">on</Badge> Since <Moment at={factor.since} />. Who signs in with the password of{' '}
        {username} is asked for a code.
      </p>
      {factor.locked_at === null ? null : (
        <>
          <p class="error">
            Locked since <Moment at={factor.locked_at} />: too many wrong codes were given by somebody who
            knows the password. Only recovery codes are taken. Set another password before you unlock it.
          </p>
          <ButtonForm c={c} action={`${path}/second-factor/unlock`} submit={`Unlock it for ${username}`} />
        </>
      )}
      <Confirm
        c={c}
        action={`${path}/second-factor/reset`}
        ask="Reset it"
        submit={`Reset it for ${username}`}
      >
        <p>
          For somebody whose phone and recovery codes are lost. Be sure who asks: from then on the password
          alone is enough to sign in, and {username} is signed out everywhere.
        </p>
      </Confirm>
    </Card>
  );
}

export function resetSentence(username: string): string {
  return `Two factor authentication of ${username} is off. The password is enough to sign in until it is set up again.`;
}

export function unlockSentence(username: string): string {
  return `The second factor of ${username} is unlocked: codes of the authenticator are taken again.`;
}
