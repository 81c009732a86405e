import { ALLOWED_IPS_PER_DATABASE } from '@innkeeper/domain';
import { type DatabaseView, getDatabase, getHosting } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { findRecord, recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { ButtonForm, Confirm, freshForm, PostForm, Refusal, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Copyable, Empty, Facts, Live, Secret, Status, Table } from '../../ui/parts.tsx';
import { RecordState } from '../../ui/record-state.tsx';

const MYSQL_PORT = '3306';

/** A form of this page that was refused. */
export interface RefusedForm {
  form: 'show-password' | 'reset-password' | 'allow-ip' | 'revoke-ip' | 'remove';
  state: Refused;
}

interface Said {
  refused?: RefusedForm;
  /** The password in plain text, on request. */
  password?: string;
}

/** One database: its connection, remote access and removal. */
export async function databasePage(c: PanelContext, { refused, password }: Said = {}): Promise<Response> {
  const ctx = customerContext(c);
  const [database, { server }] = await Promise.all([
    findRecord(c, () => getDatabase(customerContext(c), { database_id: recordId(c) })),
    getHosting(ctx, { account_id: ctx.actor.accountId }),
  ]);
  if (database === undefined) return goToWithNotice(c, '/databases', 'The database was removed.');
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  const parts = { c, database, refusedAs };
  const isGoing = database.status === 'removing';
  return page(
    c,
    {
      title: `Database ${database.name}`,
      heading: database.name,
      above: [{ name: 'Databases', path: '/databases' }],
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
          <Removal {...parts} />
        </>
      )}
    </>,
  );
}

function State({ database }: { database: DatabaseView }) {
  const { id, status, status_reason, created_at } = database;
  return (
    <Live id="state" busy={status === 'pending' || status === 'removing'} path={`/databases/${id}`}>
      <Card title="State">
        <Facts
          facts={[
            ['Status', <Status status={status} />],
            ['Added', <Ago at={created_at} />],
          ]}
        />
        <RecordState
          what="database"
          status={status}
          reason={status_reason}
          remedy="The server retries automatically. If the problem stays, send this message to your provider."
        />
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
  const reset = refusedAs('reset-password');
  return (
    <Card title="Connection">
      <Copyable id="db-host" label="Host for your own sites and apps" text={db_host} />
      <Copyable id="db-port" label="Port" text={MYSQL_PORT} />
      <Copyable id="db-name" label="Database" text={db_name} />
      <Copyable id="db-user" label="User" text={db_user} />
      <Copyable id="db-address" label="Host for remote access" text={address} />
      {password === undefined ? null : (
        <>
          <Secret id="db-password" label="Password" text={password} />
          <p class="muted">Only this page shows the password. Leave the page when you have copied it.</p>
        </>
      )}
      <Refusal state={refusedAs('show-password')} />
      <div class="actions">
        {password === undefined ? (
          <ButtonForm c={c} action={`/databases/${id}/password`} submit="Show the password" />
        ) : (
          <a class="btn" href={`/databases/${id}`}>
            Hide the password
          </a>
        )}
      </div>
      <Confirm
        c={c}
        action={`/databases/${id}/reset-password`}
        ask="Reset the password"
        submit="Replace the password"
        open={reset !== undefined}
      >
        <Refusal state={reset} />
        <p>
          The current password stops working. Give the new password to every program that uses this database.
          WordPress apps that this panel installed get it automatically.
        </p>
      </Confirm>
    </Card>
  );
}

function AllowedIps({ c, database: { id, allowed_ips }, refusedAs }: Parts) {
  const addresses = allowed_ips ?? [];
  const state = refusedAs('allow-ip') ?? freshForm();
  return (
    <Card title="Remote access">
      <p>
        Your own sites and apps can always connect to this database. Other computers can connect only from
        these IP addresses, with the user and the password.
      </p>
      <Refusal state={refusedAs('revoke-ip')} />
      {addresses.length === 0 ? (
        <Empty>No other computer can connect to this database.</Empty>
      ) : (
        <Table
          caption="Allowed addresses"
          headings={['Address', '']}
          rows={addresses.map((ip) => [
            <code>{ip}</code>,
            <ButtonForm
              c={c}
              action={`/databases/${id}/revoked-ips`}
              submit="Remove"
              label={`Remove ${ip}`}
              fields={{ ip }}
            />,
          ])}
        />
      )}
      <p class="muted">{`${addresses.length} of ${ALLOWED_IPS_PER_DATABASE} addresses are used.`}</p>
      <PostForm c={c} action={`/databases/${id}/allowed-ips`} state={state} submit="Allow the address">
        <TextField
          state={state}
          name="ip"
          label="IP address"
          hint="One IPv4 or IPv6 address, such as 203.0.113.7 or 2001:db8::7. Ranges and host names are not possible."
          attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
      </PostForm>
    </Card>
  );
}

function Removal({ c, database: { id, db_name }, refusedAs }: Parts) {
  const refused = refusedAs('remove');
  return (
    <Card title="Remove this database">
      <Confirm
        c={c}
        action={`/databases/${id}/remove`}
        ask="Remove the database"
        submit="Remove it with all its data"
        open={refused !== undefined}
      >
        <Refusal state={refused} />
        <p>{`The server deletes all tables and data of ${db_name}, and its database user. You cannot undo this.`}</p>
      </Confirm>
    </Card>
  );
}
