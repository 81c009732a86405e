import type { AuditItem } from '@innkeeper/services';
import { useTexts } from '../../language/use-texts.ts';
import { Ago, Table } from '../../ui/parts.tsx';
import { type ChangedField, readDetails } from './details.ts';
import { auditTexts } from './texts/index.ts';

type AuditTexts = typeof auditTexts.en;

/** Entries of the audit log, each as a sentence, with its changes on request. */
export function AuditTable({ items }: { items: readonly AuditItem[] }) {
  const texts = useTexts(auditTexts);
  return (
    <Table
      caption={texts.entries}
      headings={[texts.when, texts.what]}
      rows={items.map((item) => [<Ago at={item.at} />, <Entry item={item} />])}
    />
  );
}

function Entry({ item }: { item: AuditItem }) {
  const texts = useTexts(auditTexts);
  const { action, token, address, user } = item;
  const told = { who: <b>{whoOf(item, texts)}</b>, account: <AccountOf item={item} />, name: nameOf(item) };
  const sentence = Object.hasOwn(texts.sentences, action)
    ? texts.sentences[action as keyof typeof texts.sentences](told)
    : texts.unknown(told, action);
  const source = [
    token === null ? undefined : texts.withToken(token.name ?? String(token.id)),
    address === null || (user === null && address === 'innctl') ? undefined : texts.fromAddress(address),
  ].filter((part) => part !== undefined);
  return (
    <>
      <p>{sentence}</p>
      {source.length === 0 ? null : <div class="muted">{source.join(' · ')}</div>}
      <Details item={item} />
    </>
  );
}

function whoOf({ user, as_user, address }: AuditItem, texts: AuditTexts): string {
  if (user === null) {
    if (address === 'innctl') return texts.ofInnctl;
    return address?.startsWith('node:') ? texts.aServer : texts.theSystem;
  }
  const named = ({ id, username }: NonNullable<AuditItem['user']>) => username ?? texts.gone(texts.aUser(id));
  return as_user === null ? named(user) : texts.asCustomer(named(user), named(as_user));
}

function AccountOf({ item: { account } }: { item: AuditItem }) {
  const texts = useTexts(auditTexts);
  if (account === null) return null;
  const { id, username, exists } = account;
  if (exists) return <a href={`/accounts/${id}`}>{username}</a>;
  return <a href={`/audit?account=${id}`}>{texts.gone(username ?? texts.theAccount(id))}</a>;
}

/** Where the details have the name of the record. Several names if servers removed several records. */
const nameFields = ['domain_name', 'db_name', 'name', 'username', 'domains', 'databases', 'apps'] as const;

/** The name of the record from the details, or its target. */
export function nameOf({ target, details }: Pick<AuditItem, 'target' | 'details'>): string {
  for (const part of [details, details.after, details.before])
    for (const field of nameFields) {
      const name = (part as Readonly<Record<string, unknown>> | null | undefined)?.[field];
      if (typeof name === 'string') return name;
      if (Array.isArray(name) && name.length > 0 && name.every((one) => typeof one === 'string'))
        return name.join(', ');
    }
  return target;
}

function Details({ item }: { item: AuditItem }) {
  const texts = useTexts(auditTexts);
  const { changes, others } = readDetails(item.details, texts);
  const count = changes.length + others.length;
  if (count === 0) return null;
  return (
    <details>
      <summary>{texts.details(count)}</summary>
      <ul class="changes">
        {changes.map((change) => (
          <li>{changeText(change, texts)}</li>
        ))}
        {others.map(([name, value]) => (
          <li>{`${name}: ${value}`}</li>
        ))}
      </ul>
    </details>
  );
}

function changeText({ field, before, after }: ChangedField, texts: AuditTexts): string {
  if (before === undefined) return `${field}: ${after}`;
  if (after === undefined) return texts.was(field, before);
  return texts.changed(field, before, after);
}
