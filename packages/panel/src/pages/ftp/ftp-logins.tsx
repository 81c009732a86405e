import type { FtpAccess, FtpLoginView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ActionLink } from '../../ui/form.tsx';
import { Card, Empty, Facts, Moment, Notice, Table } from '../../ui/parts.tsx';
import { ftpTexts } from './texts/index.ts';

/** The additional logins of an account, and how programs connect with them. */
export function FtpLogins({ c, access }: { c: PanelContext; access: FtpAccess }) {
  const texts = useTexts(ftpTexts);
  const { number } = useFormats();
  const { logins, limit } = access;
  const isFull = logins.length >= limit;
  return (
    <>
      <Card
        title={texts.logins}
        actions={
          isFull ? undefined : (
            <ActionLink c={c} action="ftp-login.create" href="/ftp/new" primary>
              {texts.add}
            </ActionLink>
          )
        }
      >
        <p class="muted">{texts.about}</p>
        {limit === 0 && logins.length === 0 ? (
          <Notice>{texts.noneAllowed}</Notice>
        ) : logins.length === 0 ? (
          <Empty>{texts.none}</Empty>
        ) : (
          <Table
            caption={texts.logins}
            headings={[texts.name, texts.folder, texts.logsInWith, texts.added, '']}
            rows={logins.map((login) => [
              <code>{login.name}</code>,
              <code>{login.folder}</code>,
              <Ways login={login} />,
              <Moment at={login.created_at} />,
              <a class="btn" href={`/ftp/${login.id}`} aria-label={texts.editNamed(login.name)}>
                {texts.edit}
              </a>,
            ])}
          />
        )}
        {limit === 0 ? null : <p class="muted">{texts.used(number(logins.length), number(limit))}</p>}
      </Card>
      {logins.length === 0 ? null : <Connect access={access} />}
    </>
  );
}

function Ways({ login: { has_password, keys } }: { login: FtpLoginView }) {
  const texts = useTexts(ftpTexts);
  const { number } = useFormats();
  const ways = [
    ...(has_password ? [texts.withPassword] : []),
    ...(keys.length === 0 ? [] : [texts.withKeys(number(keys.length), keys.length === 1)]),
  ];
  return <>{texts.and(ways)}</>;
}

/** As a session sees it. */
const FOLDER_OF_LOGIN = '/files';

/** What a program asks for, and what it shows at its first connection. */
export function Connect({ access }: { access: FtpAccess }) {
  const texts = useTexts(ftpTexts);
  const { address, ftp_fingerprint, ssh_fingerprint } = access;
  return (
    <Card title={texts.connect}>
      <Facts
        facts={[
          [texts.server, <code>{address}</code>],
          [texts.sftp, texts.sftpHow(<code>22</code>)],
          [texts.hostKey, ssh_fingerprint === null ? texts.unknown : <code>{ssh_fingerprint}</code>],
          [texts.ftp, ftp_fingerprint === null ? texts.noFtp : texts.ftpHow(<code>21</code>)],
          ...(ftp_fingerprint === null ? [] : [[texts.certificate, <code>{ftp_fingerprint}</code>] as const]),
          [texts.place, texts.placeHow(<code>{FOLDER_OF_LOGIN}</code>)],
        ]}
      />
    </Card>
  );
}
