import { type AccountView, getHosting } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { recordType } from '../../ui/dns-record-type.ts';
import { page } from '../../ui/page.tsx';
import { Card, Copyable, CopyableText, Facts, Notice, Secret } from '../../ui/parts.tsx';
import { accountTexts } from './texts/index.ts';

interface Created {
  account: AccountView;
  password: string;
  /** The first domain. Undefined: none yet. */
  domain_name: string | undefined;
  /** Whether the server has applied everything. */
  isReady: boolean;
  hasCustomLimits: boolean;
  isWelcomed: boolean;
}

/**
 * Shows everything that a customer needs, with the password, once: in the response to the form that created the account.
 * Sending the form again is refused, because the username is taken.
 */
export async function createdAccountPage(c: PanelContext, created: Created): Promise<Response> {
  const texts = textsFor(c, accountTexts);
  const { account, isReady, isWelcomed } = created;
  const { server } = await getHosting(operatorContext(c), { account_id: account.id });
  const details = { ...created, panelUrl: c.var.deps.publicUrl, address: server.address };
  return page(
    c,
    {
      title: texts.createdTitle(account.username),
      above: [
        { name: texts.accounts, path: '/accounts' },
        { name: account.username, path: `/accounts/${account.id}` },
      ],
    },
    <>
      <Notice tone={isReady ? 'good' : 'busy'} role="status">
        <p>{isReady ? texts.isReady(account.username) : texts.isBeingCreated(account.username)}</p>
        {isWelcomed ? <p>{texts.isWelcomed(account.email)}</p> : null}
      </Notice>
      <AccessDetails {...details} />
    </>,
  );
}

type Details = Created & { panelUrl: string; address: string };

function AccessDetails(details: Details) {
  const texts = useTexts(accountTexts);
  const { account, password, domain_name, panelUrl, address, hasCustomLimits } = details;
  const ssh = sshOf(details);
  const record = `${recordType(address)} ${address}`;
  const packageName = hasCustomLimits ? texts.customLimits : account.package.name;
  const all = [
    [texts.panelUrl, panelUrl],
    [texts.username, account.username],
    [texts.password, password],
    [texts.serverAddress, address],
    ...(domain_name === undefined ? [] : [[texts.firstDomain, domain_name]]),
    ...(ssh === undefined
      ? []
      : [
          [texts.sshCommand, ssh.command],
          [texts.sftpAddress, ssh.sftp],
        ]),
    [texts.package, packageName],
    [texts.dnsRecord, record],
  ];
  return (
    <Card title={texts.accessDetails}>
      <p>{texts.shownOnce}</p>
      <div class="half">
        <Copyable id="panel-url" label={texts.panelUrl} text={panelUrl} />
        <Copyable id="account-username" label={texts.username} text={account.username} />
        <Secret id="account-password" label={texts.password} text={password} />
        <Copyable id="server-address" label={texts.serverAddress} text={address} />
        {ssh === undefined ? null : (
          <>
            <Copyable id="ssh-command" label={texts.sshCommand} text={ssh.command} />
            <Copyable id="sftp-address" label={texts.sftpAddress} text={ssh.sftp} />
          </>
        )}
      </div>
      <Facts
        facts={[
          ...(domain_name === undefined ? [] : [[texts.firstDomain, domain_name] as const]),
          [texts.package, packageName],
          [texts.dnsRecord, <code>{record}</code>],
        ]}
      />
      <CopyableText
        id="access-details"
        label={texts.everything}
        text={all.map(([name, value]) => `${name}: ${value}`).join('\n')}
        copy={texts.copyAll}
      />
      <p>
        <a class="btn btn-primary" href={`/accounts/${account.id}`}>
          {texts.goToAccount}
        </a>
      </p>
    </Card>
  );
}

/** Undefined without terminal access: its server then accepts no sign-in of the account. */
function sshOf({ account: { terminal_access, linux_user }, address }: Details) {
  if (!terminal_access) return undefined;
  const host = address.includes(':') ? `[${address}]` : address;
  return { command: `ssh ${linux_user}@${address}`, sftp: `sftp://${linux_user}@${host}` };
}
