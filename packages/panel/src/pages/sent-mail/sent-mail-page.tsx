import { type AccountMailView, getAccount, getAccountMail } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { page } from '../../ui/page.tsx';
import { Card, Facts, Moment, Notice, UsageBar } from '../../ui/parts.tsx';
import { sentMailTexts } from './texts/index.ts';

const PHP_FUNCTION = 'mail()';
const SENDMAIL = '/usr/sbin/sendmail';

export async function ownMailPage(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const mail = await getAccountMail(ctx, { account_id: ctx.actor.accountId });
  return page(c, { title: textsFor(c, sentMailTexts).title }, <SentMail mail={mail} forCustomer={true} />);
}

export async function accountMailPage(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const account_id = recordId(c);
  const [{ username }, mail] = await Promise.all([
    getAccount(ctx, { account_id, include: new Set() }),
    getAccountMail(ctx, { account_id }),
  ]);
  const texts = textsFor(c, sentMailTexts);
  return page(
    c,
    {
      title: texts.titleOf(username),
      above: [
        { name: texts.accounts, path: '/accounts' },
        { name: username, path: `/accounts/${account_id}` },
      ],
    },
    <SentMail mail={mail} forCustomer={false} />,
  );
}

function SentMail({ mail, forCustomer }: { mail: AccountMailView; forCustomer: boolean }) {
  const texts = useTexts(sentMailTexts);
  const { number } = useFormats();
  const { hour, day, queued, waits_because, reported_at, mail_per_hour, mail_per_day } = mail;
  return (
    <>
      <p class="muted">{texts.about}</p>
      <Problem mail={mail} forCustomer={forCustomer} />
      <div class="half">
        <Card title={texts.sent}>
          <UsageBar label={texts.thisHour} used={hour.sent} limit={mail_per_hour} />
          <UsageBar label={texts.today} used={day.sent} limit={mail_per_day} />
          <p class="muted">
            {texts.counting}{' '}
            {reported_at === null ? texts.now : texts.reportedAt(<Moment at={reported_at} />)}
          </p>
        </Card>
        <Card title={texts.notSent}>
          <Facts
            facts={[
              [texts.refusedThisHour, number(hour.refused)],
              [texts.refusedToday, number(day.refused)],
              [texts.queued, number(queued)],
              ...(waits_because === null ? [] : [[texts.waitsBecause, waits_because] as const]),
            ]}
          />
          <p class="muted">{texts.queueAbout}</p>
        </Card>
      </div>
      <Card title={texts.howTo}>
        <p>{texts.programs(<code>{PHP_FUNCTION}</code>, <code>{SENDMAIL}</code>)}</p>
        <p>{texts.sender(<code>{mail.sender_domain ?? texts.serverName}</code>)}</p>
        <p class="muted">{texts.bounces}</p>
      </Card>
    </>
  );
}

/** Why nothing can be sent now. */
function Problem({ mail, forCustomer }: { mail: AccountMailView; forCustomer: boolean }) {
  const texts = useTexts(sentMailTexts);
  if (mail.is_suspended) return <Notice tone="warn">{texts.suspended}</Notice>;
  if (!mail.has_relay)
    return <Notice tone="warn">{forCustomer ? texts.noRelay : texts.noRelayForOperator}</Notice>;
  if (mail.mail_per_hour === 0 || mail.mail_per_day === 0)
    return <Notice tone="warn">{forCustomer ? texts.notIncluded : texts.notIncludedForOperator}</Notice>;
  return null;
}
