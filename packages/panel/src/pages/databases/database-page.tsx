import { ALLOWED_IPS_PER_DATABASE, canonicalAddress } from '@innkeeper/domain';
import {
  type DatabaseApp,
  type DatabaseView,
  getDatabase,
  getHosting,
  listDatabaseApps,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { CSRF_FIELD, csrfToken } from '../../http/csrf.ts';
import type { Refused } from '../../http/form.ts';
import { findRecord, recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ButtonForm, Confirm, freshForm, PostForm, Refusal, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Copyable, Empty, Facts, Live, Secret, Status, Table } from '../../ui/parts.tsx';
import { RecordState } from '../../ui/record-state.tsx';
import { AppLink } from './app-link.tsx';
import { databaseTexts } from './texts/index.ts';

const MYSQL_PORT = '3306';
const BYTES_PER_MIB = 1024 * 1024;

/** A form of this page that was refused. */
export interface RefusedForm {
  form: 'show-password' | 'reset-password' | 'allow-ip' | 'revoke-ip' | 'import' | 'remove';
  state: Refused;
}

interface Said {
  refused?: RefusedForm;
  /** The password in plain text, on request. */
  password?: string;
}

/** One database: its connection, remote access and removal. */
export async function databasePage(c: PanelContext, { refused, password }: Said = {}): Promise<Response> {
  const texts = textsFor(c, databaseTexts);
  const ctx = customerContext(c);
  const [database, { server }] = await Promise.all([
    findRecord(c, () => getDatabase(customerContext(c), { database_id: recordId(c) })),
    getHosting(ctx, { account_id: ctx.actor.accountId }),
  ]);
  if (database === undefined) return goToWithNotice(c, '/databases', texts.isGone);
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  const app = (await listDatabaseApps(customerContext(c), { database_ids: [database.id] })).get(database.id);
  const parts = { c, database, refusedAs };
  const isGoing = database.status === 'removing';
  return page(
    c,
    {
      title: texts.titleOf(database.name),
      heading: database.name,
      above: [{ name: texts.databases, path: '/databases' }],
      status: refused?.state.status ?? 200,
    },
    <>
      {isGoing ? <Refusal state={refused?.state} /> : null}
      <State database={database} />
      {isGoing ? null : (
        <>
          <div class="half">
            <Connection {...parts} address={server.address} password={password} />
            <AllowedIps {...parts} />
          </div>
          <MoveData {...parts} />
          <Removal {...parts} app={app} />
        </>
      )}
    </>,
  );
}

function State({ database }: { database: DatabaseView }) {
  const texts = useTexts(databaseTexts);
  const { id, status, status_reason, created_at } = database;
  return (
    <Live id="state" busy={status === 'pending' || status === 'removing'} path={`/databases/${id}`}>
      <Card title={texts.state}>
        <Facts
          facts={[
            [texts.status, <Status status={status} />],
            [texts.added, <Ago at={created_at} />],
          ]}
        />
        <RecordState what="database" status={status} reason={status_reason} remedy={texts.remedy} />
      </Card>
    </Live>
  );
}

interface Parts {
  c: PanelContext;
  database: DatabaseView;
  refusedAs: (form: RefusedForm['form']) => Refused | undefined;
}

function Connection({
  c,
  database: { id, db_host, db_name, db_user },
  refusedAs,
  address,
  password,
}: Parts & { address: string; password: string | undefined }) {
  const texts = useTexts(databaseTexts);
  const reset = refusedAs('reset-password');
  return (
    <Card title={texts.connection}>
      <Copyable id="db-host" label={texts.localHost} text={db_host} />
      <Copyable id="db-port" label={texts.port} text={MYSQL_PORT} />
      <Copyable id="db-name" label={texts.database} text={db_name} />
      <Copyable id="db-user" label={texts.user} text={db_user} />
      <Copyable id="db-address" label={texts.remoteHost} text={address} />
      {password === undefined ? null : (
        <>
          <Secret id="db-password" label={texts.password} text={password} />
          <p class="muted">{texts.shownOnce}</p>
        </>
      )}
      <Refusal state={refusedAs('show-password')} />
      <div class="actions">
        {password === undefined ? (
          <ButtonForm c={c} action={`/databases/${id}/password`} submit={texts.showPassword} />
        ) : (
          <a class="btn" href={`/databases/${id}`}>
            {texts.hidePassword}
          </a>
        )}
      </div>
      <Confirm
        c={c}
        action={`/databases/${id}/reset-password`}
        ask={texts.resetPassword}
        submit={texts.replacePassword}
        open={reset !== undefined}
      >
        <Refusal state={reset} />
        <p>{texts.resetWarning}</p>
      </Confirm>
    </Card>
  );
}

function AllowedIps({ c, database: { id, allowed_ips }, refusedAs }: Parts) {
  const texts = useTexts(databaseTexts);
  const addresses = allowed_ips ?? [];
  const state = refusedAs('allow-ip') ?? freshForm();
  const own = ownAddress(c);
  return (
    <Card title={texts.remoteAccess}>
      <p>{texts.remoteExplained}</p>
      <Refusal state={refusedAs('revoke-ip')} />
      {addresses.length === 0 ? (
        <Empty>{texts.noRemote}</Empty>
      ) : (
        <Table
          caption={texts.allowedAddresses}
          headings={[texts.address, '']}
          rows={addresses.map((ip) => [
            <code>{ip}</code>,
            <ButtonForm
              c={c}
              action={`/databases/${id}/revoked-ips`}
              submit={texts.remove}
              label={texts.removeAddress(ip)}
              fields={{ ip }}
            />,
          ])}
        />
      )}
      <p class="muted">{texts.addressesUsed(addresses.length, ALLOWED_IPS_PER_DATABASE)}</p>
      {own === undefined || addresses.includes(own) ? null : (
        <ButtonForm
          c={c}
          action={`/databases/${id}/allowed-ips`}
          submit={texts.allowOwn(own)}
          fields={{ ip: own }}
        />
      )}
      <PostForm c={c} action={`/databases/${id}/allowed-ips`} state={state} submit={texts.allow}>
        <TextField
          state={state}
          name="ip"
          label={texts.ipAddress}
          hint={texts.ipHint}
          attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
      </PostForm>
    </Card>
  );
}

/** With JavaScript an upload stays on the page and shows its progress. Its CSRF token is in the URL. */
function MoveData({ c, database: { id }, refusedAs }: Parts) {
  const texts = useTexts(databaseTexts);
  const { size } = useFormats();
  const { maxBytes } = c.var.deps.uploads;
  return (
    <Card title={texts.moveData}>
      <p>{texts.exportHint}</p>
      <div class="actions">
        <a class="btn" href={`/databases/${id}/export`} download>
          {texts.exportIt}
        </a>
      </div>
      <Refusal state={refusedAs('import')} />
      <form
        method="post"
        action={`/databases/${id}/import?${CSRF_FIELD}=${csrfToken(c)}`}
        enctype="multipart/form-data"
        class="stack"
        data-upload
      >
        <div class="field">
          <label class="label" for="field-dump">
            {texts.importFile}
          </label>
          <input
            class="input"
            type="file"
            id="field-dump"
            name="dump"
            accept=".sql,.gz,application/gzip,application/sql"
            required
            aria-describedby="field-dump-hint"
          />
          <p class="hint" id="field-dump-hint">
            {texts.importHint(size(maxBytes / BYTES_PER_MIB))}
          </p>
        </div>
        <progress hidden aria-label={texts.importing} />
        <div class="actions">
          <button type="submit" class="btn">
            {texts.importIt}
          </button>
        </div>
      </form>
    </Card>
  );
}

/** The address of the customer's computer. Undefined for an operator in the customer's panel, and for this machine. */
function ownAddress(c: PanelContext): string | undefined {
  const address = canonicalAddress(c.var.address);
  if (address === undefined || c.var.asCustomer !== undefined) return undefined;
  return address === '::1' || address.startsWith('127.') ? undefined : address;
}

function Removal({ c, database: { id, db_name }, refusedAs, app }: Parts & { app: DatabaseApp | undefined }) {
  const texts = useTexts(databaseTexts);
  const refused = refusedAs('remove');
  if (app !== undefined)
    return (
      <Card title={texts.usedBy}>
        <Refusal state={refused} />
        <p>{texts.belongsTo(<AppLink app={app} />)}</p>
      </Card>
    );
  return (
    <Card title={texts.removeThis}>
      <Confirm
        c={c}
        action={`/databases/${id}/remove`}
        ask={texts.removeIt}
        submit={texts.removeAll}
        open={refused !== undefined}
      >
        <Refusal state={refused} />
        <p>{texts.removeWarning(db_name)}</p>
      </Confirm>
    </Card>
  );
}
