import { DomainError, isStaffRole } from '@innkeeper/domain';
import {
  getPackage,
  getPackageDetails,
  listResellers,
  type OperatorPackageView,
  type PackageView,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { mayDo, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import {
  ActionLink,
  ButtonForm,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  SelectField,
} from '../../ui/form.tsx';
import { limitNamed, limitText, packageFields } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Facts } from '../../ui/parts.tsx';
import { LifeCycle, targetsOf, Unassign } from './life-cycle.tsx';
import { MailFields } from './mail-fields.tsx';
import { packageTexts } from './texts/index.ts';

/** One package. Admins also see who can sell it. */
export async function packagePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const package_id = recordId(c);
  const state = refused ?? freshForm();
  const isStaff = isStaffRole(ctx.actor.role);
  // A reseller sees the details of its own packages only.
  const own = await getPackageDetails(ctx, { package_id }).catch(hideUnlessSeen);
  const details = isStaff ? own : undefined;
  const shown: PackageView = own ?? (await getPackage(ctx, { package_id }).catch(hideForbidden(c)));
  const resellers = details !== undefined && isAssignable(details) ? await listResellers(ctx) : [];
  const targets = own === undefined ? [] : await targetsOf(ctx, own);
  const texts = textsFor(c, packageTexts);
  return page(
    c,
    {
      title: shown.name,
      above: [{ name: texts.packages, path: '/packages' }],
      actions: (
        <>
          <a class="btn" href={`/accounts?package=${shown.id}`}>
            {texts.viewAccounts}
          </a>
          {own === undefined ? null : (
            <>
              <ActionLink c={c} action="package.create" href={`/packages/new?copy=${shown.id}`}>
                {texts.copy}
              </ActionLink>
              <ActionLink c={c} action="package.change" href={`/packages/${shown.id}/edit`} primary>
                {texts.edit}
              </ActionLink>
            </>
          )}
        </>
      ),
      status: refused?.status ?? 200,
    },
    <div class="half">
      <Card title={texts.limitsOf}>
        <Limits of={shown} ftpLogins={details?.max_ftp_logins} />
        {own === undefined ? null : <MailFacts own={own} />}
        {details === undefined ? null : <Smtp c={c} details={details} />}
        {details === undefined ? null : <MailLimitsForm c={c} details={details} state={state} />}
      </Card>
      {details === undefined ? null : (
        <Card title={texts.sales}>
          <Sellers details={details} />
          {isAssignable(details) ? (
            <>
              <Unassign c={c} details={details} />
              <Assign
                c={c}
                details={details}
                names={resellers.map(({ username }) => username)}
                state={state}
              />
            </>
          ) : null}
        </Card>
      )}
      {own === undefined || !mayDo(c, 'package.delete') ? null : (
        <LifeCycle c={c} details={own} targets={targets} state={state} />
      )}
    </div>,
  );
}

function Limits({ of, ftpLogins }: { of: PackageView; ftpLogins: number | undefined }) {
  const texts = useTexts(packageTexts);
  const { number } = useFormats();
  return (
    <Facts
      facts={[
        ...packageFields.all.map((limit) => [limitNamed(limit).label, limitText(limit, of[limit])] as const),
        ...(ftpLogins === undefined ? [] : [[texts.ftpLogins, number(ftpLogins)] as const]),
        [texts.terminal, of.terminal_access ? texts.yes : texts.no],
        [texts.smtp, of.smtp_port_25 ? texts.open : texts.closed],
      ]}
    />
  );
}

function MailFacts({ own }: { own: OperatorPackageView }) {
  const texts = useTexts(packageTexts);
  const { number } = useFormats();
  return (
    <Facts
      facts={[
        [texts.mailPerHour, number(own.mail_per_hour)],
        [texts.mailPerDay, number(own.mail_per_day)],
      ]}
    />
  );
}

/** Sets the limits of mail for every account of the package. */
function MailLimitsForm({
  c,
  details,
  state,
}: {
  c: PanelContext;
  details: OperatorPackageView;
  state: FormState;
}) {
  const texts = useTexts(packageTexts);
  if (!mayDo(c, 'package.update')) return null;
  const { mail_per_hour, mail_per_day } = details;
  const values = { mail_per_hour: String(mail_per_hour), mail_per_day: String(mail_per_day) };
  const own = { ...state, values: { ...values, ...state.values } };
  return (
    <PostForm c={c} action={`/packages/${details.id}/mail`} state={own} submit={texts.saveMail}>
      <MailFields state={own} />
    </PostForm>
  );
}

/** Opens or closes port 25 for every account of the package. */
function Smtp({ c, details }: { c: PanelContext; details: OperatorPackageView }) {
  const texts = useTexts(packageTexts);
  const { number } = useFormats();
  const action = `/packages/${details.id}/smtp-port-25`;
  if (details.smtp_port_25)
    return <ButtonForm c={c} action={action} submit={texts.closePort} fields={{ smtp_port_25: '0' }} />;
  return (
    <Confirm
      c={c}
      action={action}
      ask={texts.openPort}
      submit={texts.openPortForAll}
      fields={{ smtp_port_25: '1' }}
    >
      <p>{texts.openPortAbout(number(details.accounts))}</p>
    </Confirm>
  );
}

function hideUnlessSeen(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
}

/** For a reseller, a package that it cannot see answers like a missing one. */
function hideForbidden(c: PanelContext): (error: unknown) => never {
  return (error) => {
    if (error instanceof DomainError && error.code === 'forbidden')
      throw new DomainError('not_found', textsFor(c, packageTexts).missing);
    throw error;
  };
}

function isAssignable({ owner, is_internal }: OperatorPackageView): boolean {
  return owner === null && !is_internal;
}

function Sellers({ details }: { details: OperatorPackageView }) {
  const texts = useTexts(packageTexts);
  const { number } = useFormats();
  const { owner, is_internal, is_active, assigned_resellers, accounts } = details;
  const who = is_internal ? texts.nobodySells : (owner ?? texts.provider);
  return (
    <Facts
      facts={[
        [texts.owner, who],
        [texts.resellers, assigned_resellers.length === 0 ? texts.nobody : assigned_resellers.join(', ')],
        [texts.sold, is_active ? texts.yes : texts.no],
        [texts.accountCount, number(accounts)],
      ]}
    />
  );
}

function Assign({
  c,
  details,
  names,
  state,
}: {
  c: PanelContext;
  details: OperatorPackageView;
  names: readonly string[];
  state: FormState;
}) {
  const texts = useTexts(packageTexts);
  const others = names.filter((name) => !details.assigned_resellers.includes(name));
  if (others.length === 0)
    return names.length === 0 ? (
      <Empty>
        {texts.noReseller} <a href="/resellers/new">{texts.addReseller}</a>
      </Empty>
    ) : (
      <p class="muted">{texts.everyReseller}</p>
    );
  return (
    <PostForm c={c} action={`/packages/${details.id}/assign`} state={state} submit={texts.assign}>
      <SelectField
        state={state}
        name="reseller"
        label={texts.reseller}
        options={others.map((name) => [name, name] as const)}
      />
    </PostForm>
  );
}
