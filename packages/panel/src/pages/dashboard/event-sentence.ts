import type { AuditItem } from '@innkeeper/services';
import type { dashboardTexts } from './texts/index.ts';

type Details = AuditItem['details'];
type Texts = typeof dashboardTexts.en;

/** The field with the name of an action's record. */
const nameFields = {
  domain: 'domain_name',
  database: 'db_name',
  app: 'name',
  'cron-job': 'name',
  'ftp-login': 'name',
  'ssh-key': 'name',
  files: 'name',
} as const;
const removedFields = {
  'domain.removed': 'domains',
  'database.removed': 'databases',
  'app.removed': 'apps',
} as const;

/** Describes an audit log entry in a sentence for the customer. An action without a sentence names only its kind. */
export function eventSentence(
  { action, details }: Pick<AuditItem, 'action' | 'details'>,
  texts: Texts,
): string {
  return `${sentenceOf(action, details, texts)}.`;
}

function sentenceOf(action: string, details: Details, texts: Texts): string {
  const { accountEvents, recordEvents, removedEvents, addressEvents, changedEvents } = texts;
  const kind = action.slice(0, action.indexOf('.'));
  if (has(accountEvents, action)) return accountEvents[action];
  if (has(removedEvents, action)) return removedEvents[action](listOf(details, removedFields[action]));
  if (!has(nameFields, kind)) return changedEvents.account;
  const name = nameIn(details, nameFields[kind]) ?? texts.unnamed;
  if (has(recordEvents, action)) return recordEvents[action](name);
  if (!has(addressEvents, action)) return changedEvents[kind];
  const addresses =
    action === 'database.allow-ip'
      ? difference(details, 'after', 'before')
      : difference(details, 'before', 'after');
  return addressEvents[action](addresses || texts.anAddress, name);
}

function has<T extends object>(texts: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(texts, key);
}

/** The name of the target, from whichever part of the entry has it. */
function nameIn(details: Details, field: string): string | undefined {
  for (const part of [details.after, details.before, details]) {
    const name = (part as Details | null | undefined)?.[field];
    if (typeof name === 'string') return name;
  }
  return undefined;
}

/** The allowed addresses that only one side has. */
function difference(details: Details, side: 'before' | 'after', other: 'before' | 'after'): string {
  const listed = (at: 'before' | 'after') => listOf((details[at] ?? {}) as Details, 'allowed_ips');
  const others = new Set(listed(other));
  return listed(side)
    .filter((ip) => !others.has(ip))
    .join(', ');
}

function listOf(details: Details, field: string): string[] {
  const list = details[field] ?? (details.before as Details | null | undefined)?.[field];
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}
