import { type StaffRole, staffRoles } from '@innkeeper/domain';
import { findSecondFactorState, getStaff, listStaff, type StaffView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import {
  ActionLink,
  ButtonForm,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  Refusal,
  SelectField,
  TextField,
} from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Facts, Moment, Table } from '../../ui/parts.tsx';
import { SecondFactorCard } from '../../ui/second-factor-card.tsx';
import { staffTexts } from './texts/index.ts';

const tones = { active: 'good', disabled: 'warn', invited: 'busy' } as const;

export async function staffPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, staffTexts);
  const staff = await listStaff(operatorContext(c));
  return page(
    c,
    {
      title: texts.title,
      actions: (
        <ActionLink c={c} action="staff.invite" href="/staff/new" primary>
          {texts.invite}
        </ActionLink>
      ),
    },
    <Card title={texts.people}>
      <Table
        caption={texts.people}
        headings={[texts.username, texts.name, texts.email, texts.role, texts.status, texts.factor]}
        rows={staff.map((person) => [
          <a href={`/staff/${person.id}`}>{person.username}</a>,
          person.name,
          person.email,
          texts.roles[person.role],
          <State person={person} />,
          person.has_second_factor ? texts.isOn : texts.isOff,
        ])}
      />
    </Card>,
  );
}

function State({ person: { status } }: { person: StaffView }) {
  return <Badge tone={tones[status]}>{useTexts(staffTexts).statuses[status]}</Badge>;
}

export function inviteStaffPage(c: PanelContext, refused?: Refused): Response {
  const texts = textsFor(c, staffTexts);
  const state = refused ?? freshForm({ role: 'support' });
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true };
  return page(
    c,
    {
      title: texts.inviteTitle,
      above: [{ name: texts.title, path: '/staff' }],
      status: refused?.status ?? 200,
    },
    <Card title={texts.person}>
      <PostForm c={c} action="/staff/new" state={state} submit={texts.sendInvitation}>
        <TextField
          state={state}
          name="username"
          label={texts.username}
          hint={texts.usernameHint}
          attributes={plain}
        />
        <TextField state={state} name="name" label={texts.name} attributes={{ required: true }} />
        <TextField state={state} name="email" label={texts.email} type="email" attributes={plain} />
        <RoleField state={state} />
      </PostForm>
    </Card>,
  );
}

function RoleField({ state }: { state: FormState }) {
  const { role, roles, roleHints } = useTexts(staffTexts);
  const name = (one: StaffRole) => `${roles[one]}: ${roleHints[one]}`;
  return (
    <SelectField
      state={state}
      name="role"
      label={role}
      options={staffRoles.map((one) => [one, name(one)] as const)}
    />
  );
}

/** One person: role, access and second factor. */
export async function staffPersonPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, staffTexts);
  const ctx = operatorContext(c);
  const person = await getStaff(ctx, { user_id: recordId(c) });
  const factor = await findSecondFactorState(ctx, { username: person.username });
  const { id, username, name, email, role, created_at } = person;
  const isSelf = id === ctx.actor.userId;
  const state: FormState = refused ?? freshForm({ role });
  return page(
    c,
    { title: username, above: [{ name: texts.title, path: '/staff' }], status: refused?.status ?? 200 },
    <div class="half">
      <Card title={texts.person}>
        <Facts
          facts={[
            [texts.name, name],
            [texts.email, email],
            [texts.role, texts.roles[role]],
            [texts.status, <State person={person} />],
            [texts.factor, person.has_second_factor ? texts.isOn : texts.isOff],
            [texts.since, <Moment at={created_at} />],
          ]}
        />
      </Card>
      <Refusal state={refused} />
      {isSelf ? (
        <p class="muted">{texts.self}</p>
      ) : (
        <Changes c={c} person={person} state={{ ...state, message: undefined }} />
      )}
      {isSelf ? null : <SecondFactorCard c={c} path={`/staff/${id}`} username={username} factor={factor} />}
    </div>,
  );
}

function Changes({ c, person, state }: { c: PanelContext; person: StaffView; state: FormState }) {
  const texts = useTexts(staffTexts);
  const { id, username, status } = person;
  return (
    <>
      <Card title={texts.role}>
        <PostForm c={c} action={`/staff/${id}/role`} state={state} submit={texts.changeRole}>
          <RoleField state={state} />
          <p class="hint">{texts.roleAbout}</p>
        </PostForm>
      </Card>
      <Card title={texts.access}>
        <div class="actions">
          <Confirm c={c} action={`/staff/${id}/link`} ask={texts.newLink} submit={texts.newLinkSubmit}>
            <p>{texts.newLinkAbout}</p>
          </Confirm>
          {status === 'disabled' ? (
            <ButtonForm c={c} action={`/staff/${id}/enable`} submit={texts.enable} />
          ) : (
            <Confirm
              c={c}
              action={`/staff/${id}/disable`}
              ask={texts.disable}
              submit={texts.disableSubmit(username)}
            >
              <p>{texts.disableAbout}</p>
            </Confirm>
          )}
          <Confirm
            c={c}
            action={`/staff/${id}/remove`}
            ask={texts.remove}
            submit={texts.removeSubmit(username)}
          >
            <p>{texts.removeAbout}</p>
          </Confirm>
        </div>
      </Card>
    </>
  );
}
