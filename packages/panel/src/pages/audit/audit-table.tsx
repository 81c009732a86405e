import type { AuditItem } from '@innkeeper/services';
import { Moment, Table } from '../../ui/parts.tsx';
import { type ChangedField, readDetails } from './details.ts';

/** Entries of the audit log: time, user and address, action and target, changes. */
export function AuditTable({ items }: { items: readonly AuditItem[] }) {
  return (
    <Table
      caption="Audit log entries"
      headings={['When', 'Who', 'What', 'Changes']}
      rows={items.map((item) => [
        <Moment at={item.at} />,
        <Who item={item} />,
        <What item={item} />,
        <Details item={item} />,
      ])}
    />
  );
}

function Who({ item: { user, as_user, token, address } }: { item: AuditItem }) {
  return (
    <>
      {nameOf(user, address)}
      {as_user === null ? null : `, as ${as_user.username ?? `user ${as_user.id} (removed)`}`}
      {token === null ? null : <div class="muted">{`with the token ${token.name ?? token.id}`}</div>}
      {address === null || (user === null && address === 'innctl') ? null : (
        <div class="muted">{`from ${address}`}</div>
      )}
    </>
  );
}

function nameOf(user: AuditItem['user'], address: string | null): string {
  if (user !== null) return user.username ?? `user ${user.id} (removed)`;
  if (address === 'innctl') return 'an operator (innctl)';
  return address?.startsWith('node:') ? 'a server' : 'the system';
}

function What({ item: { action, target, account } }: { item: AuditItem }) {
  return (
    <>
      <code>{action}</code>
      <div class="muted">
        {account === null ? (
          target
        ) : account.username === null ? (
          `account ${account.id} (removed)`
        ) : (
          <a href={`/accounts/${account.id}`}>{account.username}</a>
        )}
      </div>
    </>
  );
}

/** More fields than this are collapsed. */
const SHOWN_FIELDS = 4;

function Details({ item }: { item: AuditItem }) {
  const { changes, others } = readDetails(item.details);
  if (changes.length + others.length === 0) return <span class="muted">no details</span>;
  const list = (
    <ul class="changes">
      {changes.map((change) => (
        <Change change={change} />
      ))}
      {others.map(([name, value]) => (
        <li>{`${name}: ${value}`}</li>
      ))}
    </ul>
  );
  if (changes.length + others.length <= SHOWN_FIELDS) return list;
  return (
    <details>
      <summary>{`${changes.length + others.length} details`}</summary>
      {list}
    </details>
  );
}

function Change({ change: { field, before, after } }: { change: ChangedField }) {
  if (before === undefined) return <li>{`${field}: ${after}`}</li>;
  if (after === undefined) return <li>{`${field} was ${before}`}</li>;
  return <li>{`${field}: ${before}, now ${after}`}</li>;
}
