import type { PanelContext } from '../env.ts';
import { Confirm } from './form.tsx';
import { Badge, Card, Moment } from './parts.tsx';

/** An operator's way to help somebody who has lost its second factor; nothing where there is none. */
export function SecondFactorCard({
  c,
  action,
  username,
  since,
}: {
  c: PanelContext;
  action: string;
  username: string;
  since: Date | null;
}) {
  if (since === null) return null;
  return (
    <Card title="Two factor authentication">
      <p>
        <Badge tone="good">on</Badge> Since <Moment at={since} />. Who signs in with the password of{' '}
        {username} is asked for a code.
      </p>
      <Confirm c={c} action={action} ask="Reset it" submit={`Reset it for ${username}`}>
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
